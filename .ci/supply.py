"""Checks where every crate comes from and under which licence, by the lists in deny.toml."""

import json
import re
import subprocess
import sys
import tomllib

RULES = tomllib.load(open("deny.toml", "rb"))
ALLOWED = set(RULES["licenses"]["allow"])
EXCEPTIONS = {rule["name"]: set(rule["allow"]) for rule in RULES["licenses"]["exceptions"]}
REGISTRIES = {"registry+" + url for url in RULES["sources"]["allow-registry"]}


def permits(expression, allowed):
    """Evaluates an SPDX expression: a licence holds when it is in the list."""
    # Old crates write `MIT/Apache-2.0` for a choice.
    words = re.findall(r"[()]|[\w.+-]+(?: WITH [\w.-]+)?", expression.replace("/", " OR "))

    def either():
        holds = both()
        while words and words[0] == "OR":
            words.pop(0)
            other = both()
            holds = holds or other
        return holds

    def both():
        holds = one()
        while words and words[0] == "AND":
            words.pop(0)
            other = one()
            holds = holds and other
        return holds

    def one():
        word = words.pop(0)
        if word != "(":
            return word in allowed
        holds = either()
        words.pop(0)
        return holds

    return either()


def main():
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    packages = json.loads(subprocess.check_output(command))["packages"]
    wrong = []
    for package in packages:
        name, licence, source = package["name"], package["license"], package["source"]
        if source is not None and source not in REGISTRIES:
            wrong.append(f"{name}: comes from {source}")
        if not licence:
            wrong.append(f"{name}: names no licence")
        elif not permits(licence, ALLOWED | EXCEPTIONS.get(name, set())):
            wrong.append(f"{name}: {licence} is not in deny.toml")
    print(f"{len(packages)} crates looked at, {len(wrong)} refused")
    if wrong:
        sys.exit("\n".join(wrong))


assert permits("(MIT OR X) AND Zlib", {"MIT", "Zlib"}) and not permits("MIT AND X", {"MIT"})
main()
