#!/usr/bin/env python3
"""room.py WORD: the tests of one room, for `make test T=WORD`.

A test is of the room when WORD is a word of its path: `kernels` is one of
tests/unit/analyze/answer/kernels/test_kernels.c, of tests/cli/answer/top/kernels.cmd and of
tests/oracle/golden_kernels.py; `answer/kernels` or `kernels_roof` is two in a row.

Printed are, one a line, `unit:test_NAME`, `cli:PATH` (a .cmd), `oracle:NAME`, and first what they need
besides themselves: `needs:program` (and the generator of traces), `needs:capture` (the library and the
fakes).  A word that no path has is an error with the words that are nearest to it; exit code 2.
"""
import difflib
import glob
import os
import re
import sys


def words(text):
    return [w for w in re.split(r"[/_.\-]+", text.lower()) if w]


def has(path, wanted):
    """Whether the words follow each other in the path."""
    there = words(path)
    return any(there[i:i + len(wanted)] == wanted for i in range(len(there)))


def tests():
    """Kind, name, path, and the part of the path that has words of its own."""
    for path in sorted(glob.glob("tests/unit/**/test_*.c", recursive=True)):
        name = os.path.basename(path)[:-2]
        yield "unit", name, path, os.path.dirname(path)[len("tests/unit"):] + "/" + name[len("test_"):]
    for path in sorted(glob.glob("tests/cli/**/*.cmd", recursive=True)):
        yield "cli", path, path, path[len("tests/cli"):-len(".cmd")]
    for path in sorted(glob.glob("tests/oracle/[a-z]*.py")):
        name = os.path.basename(path)[:-3]
        yield "oracle", name, path, name


def needs(kind, path):
    """What is to be built for a test besides a unit program."""
    with open(path, encoding="utf-8", errors="replace") as text:
        source = text.read()
    if kind == "unit":
        # Scenarios come from the generator, which is found beside the program.
        return {"program"} if "loading_fixture" in source else set()
    if kind == "oracle" and re.search(r"\bcapturing\b|get\(\"B\"", source):
        return {"program", "capture"}
    return {"program"}


def unknown(word, everything):
    known = sorted({w for *_, own in everything for w in words(own)})
    near = difflib.get_close_matches(word.lower(), known, 5, 0.6)
    near += [w for w in known if words(word) and words(word)[-1] in w and w not in near][:5]
    print(f"no test has '{word}' in its path" + (f"; near: {', '.join(near)}" if near else ""), file=sys.stderr)
    return 2


def main():
    if len(sys.argv) != 2:
        print("room.py WORD", file=sys.stderr)
        return 2
    everything = list(tests())
    wanted = words(sys.argv[1])
    room = [t for t in everything if wanted and has(t[3], wanted)]
    if not room:
        return unknown(sys.argv[1], everything)
    for what in sorted(set().union(*(needs(kind, path) for kind, _, path, _ in room))):
        print(f"needs:{what}")
    for kind, name, *_ in room:
        print(f"{kind}:{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
