#!/usr/bin/env python3
"""What the workshop promises those who change traceq.

  compdb   `make compdb` writes JSON that has each product source once, with a file that is there and the
           flags it is compiled with
"""
import json
import os
import shlex
import subprocess
import sys
import tempfile

PRODUCT = ("base", "analyze", "report", "edit", "cmd", "capture")
passed, failures = 0, []


def expect(condition, text):
    global passed
    if condition:
        passed += 1
    else:
        failures.append(text)


def make(*words):
    """make as somebody types it: of the make that runs the tests it knows nothing but the variant."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("MAKE") and k not in ("MFLAGS", "T")}
    return subprocess.run(["make", "--no-print-directory", "NO_INSTALL=1", *words], env=env,
                          capture_output=True, text=True)


def product():
    for top in PRODUCT:
        for folder, _, names in os.walk(top):
            yield from (os.path.join(folder, name) for name in names if name.endswith(".c"))


def check_compdb(folder):
    done = make("compdb", f"COMPDB={folder}/none.json", "CAP_SRC=capture/no_such_file.c")
    expect(done.returncode != 0 and not os.listdir(folder), "compdb: what make could not list is written")
    path = os.path.join(folder, "compile commands.json")
    done = make("compdb", f"COMPDB={path}")
    expect(done.returncode == 0, f"compdb: exit {done.returncode}: {done.stderr}")
    with open(path) as text:
        rows = json.load(text)
    expect(os.listdir(folder) == [os.path.basename(path)], "compdb: something is left beside it")
    files = [row["file"] for row in rows]
    for name in product():
        if "/sqlite/" not in name or any("/sqlite/" in f for f in files):
            expect(files.count(name) == 1, f"compdb: {name} is there {files.count(name)} times")
    for row in rows:
        words = shlex.split(row["command"])
        there = os.path.isfile(os.path.join(row["directory"], row["file"]))
        expect(there and words[-1] == row["file"] and words.count("-c") == 1,
               f"compdb: {row['file']}: {row['command']}")
    of = {row["file"]: shlex.split(row["command"]) for row in rows}
    with open("VERSION") as text:
        release = text.read().strip()
    expect(f'-DTRACEQ_RELEASE="{release}"' in of["cmd/version.c"], "compdb: version.c lacks its own flags")
    expect("-fvisibility=hidden" in of["capture/inject/say.c"], "compdb: capture lacks its own flags")
    expect(all("-Wconversion" in words for words in of.values()), "compdb: warnings are not asked for")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_compdb(folder)
    for text in failures:
        print(f"oracle workshop: {text}")
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
