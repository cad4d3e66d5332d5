"""One session with `sconce lsp`: what it publishes of a text with an error, and its exit status."""

import json
import subprocess
import sys

TEXT = "def f(x: int) -> int:\n    return x + y\n"
DOCUMENT = {"uri": "file:///m.py", "languageId": "torchscript", "version": 1, "text": TEXT}
SESSION = [
    {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
    {"method": "initialized", "params": {}},
    {"method": "textDocument/didOpen", "params": {"textDocument": DOCUMENT}},
    {"id": 2, "method": "shutdown"},
    {"method": "exit"},
]


def frame(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def main():
    out = subprocess.run([sys.argv[1], "lsp", "--stdio"], input=b"".join(map(frame, SESSION)), capture_output=True)
    rest = out.stdout
    while rest:
        header, rest = rest.split(b"\r\n\r\n", 1)
        size = int(header.split(b": ")[1])
        message, rest = json.loads(rest[:size]), rest[size:]
        for diagnostic in message.get("params", {}).get("diagnostics", []):
            print(message["method"], diagnostic["message"])
    print("status", out.returncode)


main()
