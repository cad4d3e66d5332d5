"""Runs the ```console blocks of a Markdown file, one after the other in one folder, and compares what they print.

A line that begins with `$ ` is a command (`\\` at its end goes on), what follows is what it prints: `…` stands for anything in a line, and alone for any
lines. A command that shows nothing may print anything, but must succeed; one that shows an error must fail. In the folder, `examples`, `testdata` and `tools` are
the repository's.
"""
import os
import re
import subprocess
import sys
import tempfile


def commands(text):
    """(number of the line, command, lines that it prints) of all blocks."""
    found, inside = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            found.append([number, line[2:], []])
        elif inside and found[-1][1].endswith("\\") and not found[-1][2]:
            found[-1][1] = found[-1][1][:-1] + line
        elif inside:
            found[-1][2].append(line)
    return found


def matches(shown, printed):
    """Is it printed so? Spaces at the ends of lines do not count."""
    parts = [r"(.*\n)*?" if line.strip() == "…" else r"[^\n]*".join(map(re.escape, line.rstrip().split("…"))) + r"\n" for line in shown]
    printed = "".join(line.rstrip() + "\n" for line in printed.splitlines())
    return re.fullmatch("".join(parts), printed) is not None


def main():
    path = os.path.abspath(sys.argv[1])
    root = os.path.abspath(sys.argv[2])
    found = commands(open(path, encoding="utf-8").read())
    if not found:
        sys.exit(f"{path}: no console block")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "testdata", "tools"):
            os.symlink(os.path.join(root, name), os.path.join(folder, name))
        for number, command, shown in found:
            done = subprocess.run(["bash", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            fails = any(line.startswith(("error:", "FAILED")) for line in shown)
            if (done.returncode != 0) != fails or shown and not matches(shown, done.stdout):
                sys.exit(f"{path}:{number}: `{command}` ended with {done.returncode} and printed\n{done.stdout}in place of\n" + "\n".join(shown))
    print(f"{len(found)} commands")


main()
