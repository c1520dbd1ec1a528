"""An MCP server on standard input and output with bad habits in how it greets and answers.

Usage: odd_mcp.py HABIT... Habits:

silent          says nothing to server/discover
quits           ends when it is asked server/discover
shrugs          answers {} to server/discover
modern          knows server/discover only; with "late" it takes four seconds to answer that. The tool
                "grow" adds a tool and tells those who listen
late            takes its time
bom             begins its lines with a byte order mark and ends them with NUL bytes
batch           sends its answers as lists
textid          writes ids as text
noid            leaves ids out of errors

Tools: echo; surrogate, nan, huge (17 MiB on one line), escapes, broken (text that is no JSON with the
id in it), refuse, ask (asks for input before it answers), deaf (reads nothing afterwards).
"""

import json
import sys
import time

HABITS = set(sys.argv[1:])
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
TOOLS = ["echo", "surrogate", "nan", "huge", "escapes", "broken", "ask", "deaf", "refuse", "grow"]
WAITING = {}


def write(text):
    if "bom" in HABITS:
        text = "\ufeff" + text + "\0\0"
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass") + b"\n")
    sys.stdout.buffer.flush()


def send(message):
    message = {"jsonrpc": "2.0", **message}
    if "textid" in HABITS and "method" not in message:
        message["id"] = str(message["id"])
    if "noid" in HABITS and "error" in message:
        message["id"] = None
    write(json.dumps([message] if "batch" in HABITS else message))


def result(request, value):
    send({"id": request["id"], "result": value})


def error(request, code, text):
    send({"id": request["id"], "error": {"code": code, "message": text}})


def text(said):
    return {"content": [{"type": "text", "text": said}]}


def call(request):
    name, number = request["params"]["name"], json.dumps(request["id"])
    head = '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":' % number
    if name == "surrogate":
        write(head + '"cut \\ud83d"}]}}')
    elif name == "nan":
        write(head + '"x"}],"structuredContent":{"n":NaN}}}')
    elif name == "huge":
        write(head + '"' + "x" * (17 * 1024 * 1024) + '"}]}}')
    elif name == "broken":
        write(head + '"never closed')
    elif name == "escapes":
        result(request, text("a\x1b[2Jb\x1b]0;t\x07"))
    elif name == "refuse":
        error(request, -32602, "no such thing")
    elif name == "ask":
        WAITING["ask"] = request
        send({"id": "ask-1", "method": "elicitation/create",
              "params": {"message": "password?", "requestedSchema": {"type": "object", "properties": {}}}})
    elif name == "grow":
        TOOLS.append("grown")
        send({"method": "notifications/tools/list_changed", "params": {"_meta": {SUBSCRIPTION: WAITING["listen"]}}})
        result(request, text("grown"))
    elif name == "deaf":
        time.sleep(600)
    else:
        result(request, text(str(request["params"].get("arguments", {}).get("text", "ok"))))


def discover(request):
    if "quits" in HABITS:
        sys.exit(3)
    if "late" in HABITS:
        time.sleep(4)
    if "shrugs" in HABITS:
        result(request, {})
    elif "modern" in HABITS:
        result(request, {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                         "capabilities": {"tools": {"listChanged": True}}, "ttlMs": 0, "cacheScope": "private"})
    elif "silent" not in HABITS:
        error(request, -32601, "Method not found")


def receive(message):
    method = message.get("method")
    if method == "server/discover":
        discover(message)
    elif method == "initialize" and "modern" in HABITS:
        error(message, -32601, "Method not found")
    elif method == "initialize":
        result(message, {"protocolVersion": message["params"]["protocolVersion"],
                         "capabilities": {"tools": {}}, "serverInfo": {"name": "odd", "version": "1"}})
    elif method == "tools/list":
        result(message, {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]})
    elif method == "tools/call":
        call(message)
    elif method == "subscriptions/listen":
        WAITING["listen"] = message["id"]
        send({"method": "notifications/subscriptions/acknowledged",
              "params": {"notifications": {"toolsListChanged": True}, "_meta": {SUBSCRIPTION: message["id"]}}})
    elif method is None and message.get("id") == "ask-1":
        result(WAITING["ask"], text(json.dumps(message.get("result", message.get("error")))))
    elif method and "id" in message:
        error(message, -32601, "Method not found")


for line in sys.stdin.buffer:
    receive(json.loads(line))
