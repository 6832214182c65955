#!/usr/bin/env python3
"""What every table of every analysis must be, on generated scenarios, artifacts and real traces.

  text  at 40 to 200 columns no line is wider (a word that is, a path, stands alone); names are cut,
        figures never; a pipe and a terminal get the same
  wide  --wide cuts nothing and leaves nothing out
  JSON  an independent parser reads it; each key with a unit ends in it; rows have the columns' keys
  CSV   an independent parser reads it; each table has its header and rows of that many cells
"""
import csv
import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import unicodedata
from concurrent.futures import ThreadPoolExecutor

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.path.join(os.environ.get("SHARED", "../shared"), "traces")
# `make check-all` looks at all of it; a gate at the narrowest and a wide one, and every second trace.
ALL = os.environ.get("CHECK_ALL")
WIDTHS = (40, 66, 120, 200) if ALL else (40, 120)
ANALYSES = ["top", "summary", "steps", "kernels", "idle", "launches", "critical", "copies", "comms",
            "memory", "stages", "stacks", "diagnose", "info", "check"]
MORE = {"kernels": [["--by", "config"], ["--by", "op"]], "stacks": [["--metric", "device"]],
        "idle": [["--streams"]], "top": [["--by", "shape"]]}
SCENARIOS = ["healthy", "dataloader-bound", "copy-bound", "launch-bound", "comm-bound", "leak",
             "cpu-only", "gpu-only", "graphs", "rocm", "xpu", "mtia", "tiny", "python-stacks",
             "inference", "multi-stream", "multi-gpu", "serving-full-queue", "runs-ahead", "one-gap",
             "gloo-cpu", "second-idle", "mixed"]
# What else than a trace is asked, and the artifacts it is asked about.
RECORDS = {
    "metrics": ["profile", "memory-log", "metric-tracker", "training-logger", "score-distribution",
                "score-distribution-empty", "reward-distribution", "run-metrics", "stage-times",
                "stage-list", "memory-stats", "canary-metrics", "trainer-state", "train-jsonl",
                "metrics-jsonl", "grpo-jsonl", "samples-jsonl", "ppo-jsonl", "metrics-csv",
                "stage-csv", "run-log", "jsonl", "tfevents"],
    "batch": ["gpu-profile", "baseline-metrics", "sweep-csv", "sweep-csv-cpu", "sweep-raw-csv",
              "sweep-raw-json"],
    "smi": ["smi", "smi-bare", "smi-two", "smi-index", "smi-long"],
    "top": ["op-csv", "op-csv-micro", "op-csv-kit", "ops-csv", "op-table", "run-log"],
    "check": ["run-metrics", "smi-two", "op-csv"],
}
PAIRS = {
    "diff": [("healthy", "launch-bound"), ("healthy", "python-stacks"), ("multi-gpu", "gpu-only"),
             ("train-jsonl", "train-jsonl"), ("canary-metrics", "canary-metrics")],
    "gate": [("healthy", "launch-bound"), ("train-jsonl", "train-jsonl"),
             ("canary-metrics", "canary-metrics")],
    "noise": [("healthy", "launch-bound"), ("train-jsonl", "train-jsonl")],
}
SENTENCES = {"diagnose", "diff", "gate"}  # in which names are shortened, whatever the width
# Of two traces of the same program one is enough.
TWINS = ("tb_resnet50_nw4_a", "hta_trace_diff_test")
LIMITED = {"top", "kernels", "idle", "launches", "critical", "copies", "comms", "memory", "stages",
           "stacks"}
SUFFIX = {"ns": "_ns", "bytes": "_bytes", "ratio": "_ratio"}


class Tally:
    """What one job found; jobs run beside each other."""

    def __init__(self):
        self.passed = 0
        self.failures = []

    def check(self, what, good, detail=""):
        if good:
            self.passed += 1
        else:
            self.failures.append(f"FAIL {what}: {detail}")


def ask(*argv, width=None):
    env = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    if width:
        env["COLUMNS"] = str(width)
    done = subprocess.run([TRACEQ, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def on_terminal(*argv, width):
    """The same on a terminal of so many columns.

    Our side of the terminal stays open until the program has ended: a reader that finds nothing to
    read in the moment in which the last writer closes is told of the end before the rest.
    """
    master, slave = pty.openpty()
    env = dict(os.environ, COLUMNS=str(width), TERM="dumb")
    child = subprocess.Popen([TRACEQ, *argv], stdout=slave, stderr=subprocess.DEVNULL, env=env)
    text = b""
    while child.poll() is None:
        if select.select([master], [], [], 0.01)[0]:
            text += os.read(master, 1 << 16)
    os.close(slave)
    while True:
        try:
            text += os.read(master, 1 << 16)
        except OSError:  # all is read
            break
    os.close(master)
    return child.wait(), text.decode("utf-8", "replace").replace("\r\n", "\n")


def columns(line):
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def is_one_word(line, width):
    """Whether a line is too wide only for a word that has no blank to go on at: a path, a host."""
    return max(columns(word) for word in line.split()) > width // 2 and len(line.split()) <= 2


# A figure with an ellipsis for some of its digits.
CUT_FIGURE = re.compile(r"(?:^|  )[-+~<]?[\d,.]+(?:\u2026|\.\.\.)[\d,.]*(?= |$)|"
                        r"(?:^|  )(?:\u2026|\.\.\.)[\d,.]+ ?(?:%|[num]?s|[KMGT]?i?B(?:/s)?)?(?=  |$)")


def text_of(tally, where, argv):
    for width in WIDTHS:
        code, text = ask(*argv, width=width)
        if code == 2:
            return
        tally.check(f"{where} {width}: has text", text.strip())
        wide = [line for line in text.splitlines()
                if columns(line) > width and not is_one_word(line, width)]
        tally.check(f"{where} {width}: width", not wide, wide[:2])
        cut = [line for line in text.splitlines() if CUT_FIGURE.search(line)]
        tally.check(f"{where} {width}: figures are whole", not cut, cut[:2])


def terminal_of(tally, where, argv):
    code, text = ask(*argv, width=100)
    there = on_terminal(*argv, width=100)
    tally.check(f"{where}: as on a terminal", (code, text) == there,
                f"exit {code} and {there[0]}, {len(text)} and {len(there[1])} characters")
    if code != 2:
        tally.check(f"{where}: 80 without COLUMNS", ask(*argv) == ask(*argv, width=80))


def wide_of(tally, where, argv):
    code, text = ask(*argv, "--wide", width=40)
    if code != 2:
        tally.check(f"{where}: wide", "hidden columns" not in text)
        if argv[0] not in SENTENCES:
            tally.check(f"{where}: whole names", "\u2026" not in text)


def json_of(tally, where, argv):
    code, text = ask(*argv, "--json", *(["-n", "0"] if argv[0] in LIMITED else []))
    if code == 2:
        return None
    answer = json.loads(text)
    for table in answer["tables"]:
        keys = [c["key"] for c in table["columns"]]
        tally.check(f"{where} {table['id']}: keys differ", len(set(keys)) == len(keys), keys)
        for column in table["columns"]:
            unit, key = column.get("unit"), column["key"]
            want = SUFFIX.get(unit, "")
            good = key.endswith(want) or key == unit or (unit == "bytes" and "_bytes_per_" in key)
            tally.check(f"{where} {table['id']}: {key} ends in its unit", good, unit)
        tally.check(f"{where} {table['id']}: rows have the columns' keys",
                    all(set(r) <= set(keys) for r in table["rows"]))
    return answer


def csv_of(tally, where, argv):
    code, text = ask(*argv, "--format", "csv")
    if code == 2 or not text:
        return
    rows = list(csv.reader(io.StringIO(text), strict=True))
    tally.check(f"{where}: csv has cells", any(rows))
    block = 0
    for row in rows:
        if not row or len(row) == 1 and not row[0]:
            block = 0
        elif not block:
            block = len(row)
        elif len(row) != block:
            tally.check(f"{where}: csv row", False, row)
            return
    tally.check(f"{where}: csv rows are even", True)


def every_format(job):
    where, argv = job
    tally = Tally()
    answer = json_of(tally, where, argv)
    if answer is not None:  # else there is no answer in any format
        text_of(tally, where, argv)
        if ALL or not argv[-1].startswith(SHARED):  # real traces have no other terminals
            terminal_of(tally, where, argv)
            wide_of(tally, where, argv)
        csv_of(tally, where, argv)
    return tally


def of_trace(name, path):
    return [(" ".join([analysis, *options, name]), [analysis, "-q", *options, path])
            for analysis in ANALYSES for options in [[]] + MORE.get(analysis, [])]


def of_records(make):
    jobs = [(f"{command} {name}", [command, "-q", make(name)])
            for command, names in RECORDS.items() for name in names]
    for command, pairs in PAIRS.items():
        jobs += [(f"{command} {a} {b}", [command, "-q", make(a), make(b)]) for a, b in pairs]
    return jobs + [("fit", ["fit", "-q"]), ("fit profile", ["fit", "-q", make("gpu-profile")])]


def jobs_in(folder):
    def make(name):
        path = os.path.join(folder, name)
        what = [name, "--steps", "3", "--memory"] if name in SCENARIOS else ["artifact", name]
        if not os.path.exists(path):
            with open(path, "wb") as out:
                subprocess.run([FIXTURES, *what], stdout=out, check=True)
        return path

    jobs = [job for name in (SCENARIOS if ALL else SCENARIOS[::3]) for job in of_trace(name, make(name))]
    jobs += of_records(make)
    if os.path.isdir(SHARED):
        names = [n for n in sorted(os.listdir(SHARED))
                 if n.endswith((".json", ".json.gz")) and not n.startswith(TWINS)]
        for name in names if ALL else names[::3]:
            jobs += of_trace(name, os.path.join(SHARED, name))
    return jobs


def main():
    skipped = 0
    if not os.path.isdir(SHARED):
        print(f"SKIP {SHARED}: no real traces here")
        skipped = 1
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        tallies = list(pool.map(every_format, jobs_in(folder)))
    failures = [f for t in tallies for f in t.failures]
    print("".join(f + "\n" for f in failures), end="")
    print(f"{sum(t.passed for t in tallies)} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
