#!/usr/bin/env python3
"""docs/tutorial.md, typed as it stands: what is shown below each command is what comes.

Its blocks run in their order in one empty folder, 80 columns wide, with `traceq` and `fixtures` in PATH; output
and messages are compared verbatim.  --bless writes what came into the page.
"""
import os
import re
import subprocess
import sys
import tempfile

TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
FIXTURES = os.path.abspath(os.environ.get("FIXTURES", "build/release/fixtures"))
PAGE = "docs/tutorial.md"
FENCE = re.compile(r"^```console\n(.*?)^```$", re.S | re.M)


def commands(block):
    """[(command, what is shown below it)]"""
    found = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append([line, ""])
        else:
            found[-1][1] += line
    return found


def main():
    bless = "--bless" in sys.argv[1:]
    with open(PAGE, encoding="utf-8") as f:
        page = f.read()
    passed, failures = 0, []
    with tempfile.TemporaryDirectory() as root:
        work, path = os.path.join(root, "work"), os.path.join(root, "bin")
        os.mkdir(work)
        os.mkdir(path)
        os.symlink(TRACEQ, os.path.join(path, "traceq"))
        os.symlink(FIXTURES, os.path.join(path, "fixtures"))
        env = {"PATH": path + ":" + os.environ["PATH"], "HOME": root, "LC_ALL": "C.UTF-8", "TERM": "dumb", "COLUMNS": "80",
               "TZ": "UTC", "SOURCE_DATE_EPOCH": "1767225600"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            env.update({name: os.environ[name]} if name in os.environ else {})

        def fill(match):
            nonlocal passed
            text = ""
            for line, shown in commands(match[1]):
                done = subprocess.run(["bash", "-c", line[2:]], cwd=work, env=env, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
                came = done.stdout.decode()
                if came == shown:
                    passed += 1
                else:
                    failures.append(f"{line.strip()}: shown is\n{shown}came\n{came}")
                text += line + came
            return "```console\n" + text + "```"

        filled = FENCE.sub(fill, page)
    if bless:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(filled)
        return 0
    for text in failures:
        print(f"oracle tutorial: {text}")
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
