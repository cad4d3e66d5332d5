"""What the panes of a page of `sconce view` are tied to: of each, how often an operator has lines, and a line of it."""

import json
import re
import sys


def main():
    page = open(sys.argv[1], encoding="utf-8").read()
    document = json.loads(re.search('id="document">(.*?)</script>', page, re.S)[1])
    for pane in document["panes"]:
        for text in pane["texts"]:
            lines, tied = text["text"].splitlines(), {}
            for line, function, node in text["links"]:
                tied.setdefault(document["functions"][function]["nodes"][node]["kind"], []).append(lines[line].strip())
            for kind, all_lines in sorted(tied.items()):
                print(f"{pane['name']}: {kind}: {' | '.join(all_lines)}")


main()
