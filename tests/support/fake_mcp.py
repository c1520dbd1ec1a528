"""FAKE-MCP: an MCP server on standard input and output that plays the part its file describes.

Usage: fake_mcp.py PART.json. Every key of the file is optional:

log             where each received line goes, with time, pid; the first line has argv and environ
control         a file that is watched; each line added to it is a command: {"do": "exit", "code": 3},
                {"do": "tools", "tools": [...]} (announces the change), {"do": "release"}
initialize      {"delay": seconds, "never": true, "result": {...} merged into the answer,
                "without": [keys left out], "error": {...}}
tools           the list; "list_error" an error in its place; "pages" {cursor: {"tools", "nextCursor"}
                or {"error"}} ("" is the first); "cursors" "same" or "new" for lists without end
calls           {tool: behaviour or [behaviour, ...]}; the last one stays. A behaviour has "result",
                "error", "raw" (a line with ID in it), "delay", "progress" {"every", "times"}, "never",
                "exit", "hold" (until released), "late" (seconds after a cancel until it is answered)
ignore          ["TERM", "EOF"]; "exit": a code to leave with at once; "noise": lines on stdout;
                "stderr": lines; "grandchild": start a process that stays
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time

PART = json.load(open(sys.argv[1], encoding="utf-8"))
OUT = threading.Lock()
LOG = threading.Lock()
RELEASED = threading.Event()
CANCELLED = {}
CALLS = {}

OBJECT = {"type": "object"}
DEFAULT_TOOLS = [
    {"name": "echo", "description": "Says it again.",
     "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}},
    {"name": "wipe", "description": "Wipes it.",
     "inputSchema": {"type": "object", "properties": {"target": {"type": "string"}},
                     "additionalProperties": True}},
]


def log(**entry):
    if "log" in PART:
        entry = {"t": time.time(), "pid": os.getpid(), **entry}
        with LOG, open(PART["log"], "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def write(line):
    with OUT:
        sys.stdout.buffer.write(line.encode("utf-8") + b"\n")
        sys.stdout.buffer.flush()


def send(**message):
    write(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False))


def leave(code):
    log(event="exit", code=code)
    os._exit(code)


def initialize(request):
    how = PART.get("initialize", {})
    if how.get("never"):
        return
    time.sleep(how.get("delay", 0))
    if "error" in how:
        send(id=request["id"], error=how["error"])
        return
    result = {
        "protocolVersion": request.get("params", {}).get("protocolVersion"),
        "capabilities": {"tools": {"listChanged": True}},
        "serverInfo": {"name": "fake", "version": "1"},
        **how.get("result", {}),
    }
    for key in how.get("without", []):
        result.pop(key, None)
    send(id=request["id"], result=result)


def list_tools(request):
    cursor = (request.get("params") or {}).get("cursor", "")
    tools = PART.get("tools", DEFAULT_TOOLS)
    if "list_error" in PART:
        send(id=request["id"], error=PART["list_error"])
    elif "pages" in PART:
        page = PART["pages"].get(cursor, {"tools": []})
        if "error" in page:
            send(id=request["id"], error=page["error"])
        else:
            send(id=request["id"], result=page)
    elif PART.get("cursors") == "same":
        send(id=request["id"], result={"tools": tools, "nextCursor": "again"})
    elif PART.get("cursors") == "new":
        following = "c%d" % (int(cursor[1:] or 0) + 1)
        send(id=request["id"], result={"tools": tools, "nextCursor": following})
    else:
        send(id=request["id"], result={"tools": tools})


def behaviour(name):
    options = PART.get("calls", {}).get(name, {})
    if isinstance(options, list):
        turn = CALLS[name] = CALLS.get(name, -1) + 1
        options = options[min(turn, len(options) - 1)]
    return options


def call(request):
    params = request.get("params", {})
    how = behaviour(params.get("name"))
    if "exit" in how:
        leave(how["exit"])
    token = (params.get("_meta") or {}).get("progressToken")
    for step in range(how.get("progress", {}).get("times", 0)):
        time.sleep(how["progress"]["every"])
        if token is not None:
            send(method="notifications/progress",
                 params={"progressToken": token, "progress": step + 1, "message": "step %d" % step})
    if how.get("hold"):
        RELEASED.wait()
    cancelled = CANCELLED.setdefault(request["id"], threading.Event())
    if how.get("never"):
        if "late" not in how:
            return
        cancelled.wait()
        time.sleep(how["late"])
    elif cancelled.wait(how.get("delay", 0)):
        time.sleep(how.get("late", 0))
    answer(request, params, how)


def answer(request, params, how):
    if "raw" in how:
        write(how["raw"].replace("ID", json.dumps(request["id"])))
    elif "error" in how:
        send(id=request["id"], error=how["error"])
    else:
        said = (params.get("arguments") or {}).get("text", "ok")
        default = {"content": [{"type": "text", "text": str(said)}]}
        send(id=request["id"], result=how.get("result", default))
    log(event="answered", id=request["id"])


def receive(line):
    try:
        message = json.loads(line)
    except ValueError:
        return
    method = message.get("method")
    if method == "initialize":
        if PART.get("initialize", {}).get("delay"):
            threading.Thread(target=initialize, args=(message,), daemon=True).start()
        else:
            initialize(message)
    elif method == "tools/list":
        list_tools(message)
    elif method == "tools/call":
        threading.Thread(target=call, args=(message,), daemon=True).start()
    elif method == "notifications/cancelled":
        CANCELLED.setdefault(message["params"].get("requestId"), threading.Event()).set()
    elif method == "ping":
        send(id=message["id"], result={})
    elif method and "id" in message:
        send(id=message["id"], error={"code": -32601, "message": "Method not found"})


def obey(command):
    if command["do"] == "exit":
        leave(command.get("code", 1))
    elif command["do"] == "release":
        RELEASED.set()
    elif command["do"] == "tools":
        PART["tools"] = command["tools"]
        send(method="notifications/tools/list_changed")


def watch(path):
    done = 0
    while True:
        if os.path.exists(path):
            lines = open(path, encoding="utf-8").read().split("\n")[:-1]
            for line in lines[done:]:
                obey(json.loads(line))
            done = len(lines)
        time.sleep(0.02)


def main():
    log(event="started", argv=sys.argv, environ=dict(os.environ))
    for line in PART.get("stderr", []):
        print(line, file=sys.stderr, flush=True)
    for line in PART.get("noise", []):
        write(line)
    if "exit" in PART:
        leave(PART["exit"])
    ignore = PART.get("ignore", [])
    if "TERM" in ignore:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if PART.get("grandchild"):
        subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL)
    if "control" in PART:
        threading.Thread(target=watch, args=(PART["control"],), daemon=True).start()
    for raw in sys.stdin.buffer:
        line = raw.decode("utf-8", "replace").rstrip("\n")
        log(line=line)
        receive(line)
    log(event="eof")
    while "EOF" in ignore:
        time.sleep(1)
    leave(0)


main()
