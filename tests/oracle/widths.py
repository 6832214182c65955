#!/usr/bin/env python3
"""What every table of every analysis must be, on generated scenarios and real traces.

  text  on a terminal of 100 columns no line is wider; names are cut, figures never
  pipe  what is left of a line without names and the room they need is not wider, either
  JSON  an independent parser reads it; each key with a unit ends in it; rows have the columns' keys
  CSV   an independent parser reads it; each table has its header and rows of that many cells
"""
import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import unicodedata

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.path.join(os.environ.get("SHARED", "../shared"), "traces")
WIDTH = 100
ANALYSES = ["top", "summary", "steps", "kernels", "idle", "launches", "copies", "comms", "memory",
            "stages", "stacks", "diagnose", "info", "check"]
MORE = {"kernels": [["--by", "config"], ["--by", "op"]], "stacks": [["--metric", "device"]],
        "idle": [["--streams"]], "top": [["--by", "shape"]]}
SCENARIOS = ["healthy", "dataloader-bound", "copy-bound", "launch-bound", "comm-bound", "leak",
             "cpu-only", "gpu-only", "graphs", "rocm", "xpu", "mtia", "tiny", "python-stacks",
             "inference", "multi-stream", "multi-gpu"]
LIMITED = {"top", "kernels", "idle", "launches", "copies", "comms", "memory", "stages", "stacks"}
SUFFIX = {"ns": "_ns", "bytes": "_bytes", "ratio": "_ratio"}
passed = failed = skipped = 0


def check(what, good, detail=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {what}: {detail}")


def ask(*argv):
    done = subprocess.run([TRACEQ, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def on_terminal(*argv):
    """The same on a terminal of WIDTH columns."""
    master, slave = pty.openpty()
    env = dict(os.environ, COLUMNS=str(WIDTH), TERM="dumb")
    child = subprocess.Popen([TRACEQ, *argv], stdout=slave, stderr=subprocess.DEVNULL, env=env)
    os.close(slave)
    text = b""
    while True:
        try:
            more = os.read(master, 1 << 16)
        except OSError:  # the other side is closed
            break
        if not more:
            break
        text += more
    os.close(master)
    return child.wait(), text.decode("utf-8", "replace")


def columns(line):
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def text_of(where, argv):
    code, text = on_terminal(*argv)
    if code == 2:
        return
    check(f"{where}: has text", text.strip())
    wide = [line for line in text.splitlines() if columns(line) > WIDTH]
    check(f"{where}: width", not wide, wide[:2])


def names_of(argv):
    """Texts of the answer, the longest first."""
    _, text = ask(*argv, "--json", "-n", "0") if argv[0] in LIMITED else ask(*argv, "--json")
    names = set()
    if text:
        for table in json.loads(text)["tables"]:
            for row in table["rows"]:
                names.update(v for v in row.values() if isinstance(v, str) and len(v) > 8)
    return sorted(names, key=len, reverse=True)


def pipe_of(where, argv):
    code, text = ask(*argv)
    if code == 2:
        return
    wide, names = [], None
    for line in text.splitlines():
        if columns(line) <= WIDTH or line.startswith(("note:", "warning:")):
            continue  # notes are sentences, of one line where nobody looks
        names = names_of(argv) if names is None else names
        rest = line
        for name in names:
            rest = rest.replace(name, "")
        rest = re.sub(" {3,}", "  ", rest)
        if columns(rest) > WIDTH:
            wide.append(rest)
    check(f"{where}: width in a pipe", not wide, wide[:2])


def json_of(where, argv):
    code, text = ask(*argv, "--json")
    if code == 2:
        return
    answer = json.loads(text)
    for table in answer["tables"]:
        keys = [c["key"] for c in table["columns"]]
        check(f"{where} {table['id']}: keys differ", len(set(keys)) == len(keys), keys)
        for column in table["columns"]:
            unit, key = column.get("unit"), column["key"]
            want = SUFFIX.get(unit, "")
            good = key.endswith(want) or key == unit or (unit == "bytes" and "_bytes_per_" in key)
            check(f"{where} {table['id']}: {key} ends in its unit", good, unit)
        check(f"{where} {table['id']}: rows have the columns' keys",
              all(set(r) <= set(keys) for r in table["rows"]))


def csv_of(where, argv):
    code, text = ask(*argv, "--format", "csv")
    if code == 2 or not text:
        return
    rows = list(csv.reader(io.StringIO(text), strict=True))
    check(f"{where}: csv has cells", any(rows))
    block = 0
    for row in rows:
        if not row or len(row) == 1 and not row[0]:
            block = 0
        elif not block:
            block = len(row)
        elif len(row) != block:
            check(f"{where}: csv row", False, row)
            return
    check(f"{where}: csv rows are even", True)


def every_format(name, path):
    for analysis in ANALYSES:
        for options in [[]] + MORE.get(analysis, []):
            argv = [analysis, "-q", *options, path]
            where = " ".join([analysis, *options, name])
            text_of(where, argv)
            pipe_of(where, argv)
            json_of(where, argv)
            csv_of(where, argv)


def main():
    global skipped
    with tempfile.TemporaryDirectory() as folder:
        for scenario in SCENARIOS:
            path = os.path.join(folder, scenario + ".json")
            with open(path, "wb") as out:
                subprocess.run([FIXTURES, scenario, "--steps", "3", "--memory"], stdout=out,
                               check=True)
            every_format(scenario, path)
    if os.path.isdir(SHARED):
        for name in sorted(os.listdir(SHARED)):
            if name.endswith((".json", ".json.gz")):
                every_format(name, os.path.join(SHARED, name))
    else:
        print(f"SKIP {SHARED}: no real traces here")
        skipped += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
