#!/usr/bin/env python3
"""No share is above 100 %, and none below 0: of every table of every answer about a trace each cell of
a column in ratios, and of `diagnose` each per cent in the text of a finding and each time "a step",
which is no longer than the step.

Left out are ratios that are no parts of a whole, named below with the reason.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

TRACEQ, FIXTURES = os.environ["TRACEQ"], os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
COMMANDS = """diagnose summary idle critical kernels top launches comms copies steps stages overview
memory batch roofline stacks info check""".split()
# Work over what the peaks allow: bytes may come from a cache, and drawn kernels take what they like;
# calls over the GPU's time.
NO_PARTS = ("roof_ratio", "class_roof_ratio", "mfu_ratio", "hfu_ratio", "launch_cost_ratio")
PER_CENT = re.compile(r"(\d[\d,.]*)%")
A_STEP = re.compile(r"(\d[\d,.]*) (ns|us|ms|s|min)/step")
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60}
# Not of the time: how much steps vary, words of the documents, a limit that somebody set.
OTHER_RULES = ("G17", "Q01", "Q02", "G11")
# What odd steps take more than the usual ones is less than nothing where they are short.
SIGNED = (("kinds", "share_ratio"), ("findings", "value_ratio"))
checked = failed = 0


def check(ok, what):
    global checked, failed
    checked, failed = checked + 1, failed + (not ok)
    if not ok:
        print("FAIL", what)


def number(text):
    return float(text.replace(",", ""))


def ask(command, path):
    p = subprocess.run([TRACEQ, command, path, "--json", "-q"], stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL)
    return json.loads(p.stdout)["tables"] if p.stdout else []


def check_table(where, table):
    for column in table["columns"]:
        if column["unit"] != "ratio" or column["key"] in NO_PARTS:
            continue
        for row in table["rows"] + table["footer"]:
            v = row[column["key"]]
            if v is not None and row.get("rule") not in OTHER_RULES:
                least = -1 if (table["id"], column["key"]) in SIGNED and row.get("rule", "G23") == "G23" else 0
                check(least - 1e-9 <= v <= 1 + 1e-9, f"{where} {table['id']}.{column['key']}: {v}")


def check_findings(where, tables):
    at = {t["id"]: t for t in tables}
    step_ns = at["verdict"]["rows"][0].get("step_ns") if at.get("verdict") else None
    for row in at["findings"]["rows"] if "findings" in at else []:
        if row["rule"] in OTHER_RULES or row["rule"][0] not in "GQ":
            continue
        for text in (row["finding"], row["evidence"] or ""):
            for v in PER_CENT.findall(text):
                check(number(v) <= 100, f"{where} {row['rule']}: {text}")
            for v, unit in A_STEP.findall(text):
                if step_ns:
                    check(number(v) * SECONDS[unit] <= 1.006e-9 * step_ns,
                          f"{where} {row['rule']}: {text} (a step takes {step_ns} ns)")


def check_trace(name, path):
    for command in COMMANDS:
        tables = ask(command, path)
        for table in tables:
            check_table(f"{name} {command}", table)
        if command == "diagnose":
            check_findings(f"{name} {command}", tables)


def scenarios():
    names, on = [], False
    for line in subprocess.run([FIXTURES, "--list"], stdout=subprocess.PIPE, check=True,
                               text=True).stdout.splitlines():
        if not line.startswith(" "):
            on = line == "scenarios"
        elif on and not line.split()[0].startswith("hostile"):
            names.append(line.split()[0])
    return names


# A program of CUDA alone: 3 ms of cudaMalloc before the first launch, then a run of 100 us; a kernel
# that runs long behind the step that launched it; two streams at once; ops of two threads.
def event(cat, name, tid, ts, dur, pid=1, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur,
            "args": args}


def kernel(ts, dur, stream, n, name="work"):
    return event("kernel", name, stream, ts, dur, 0, device=0, stream=stream, correlation=n)


def launch(ts, n):
    return event("cuda_runtime", "cudaLaunchKernel", 1, ts, 5, correlation=n)


DRAWN = {
    "malloc before the first launch": [
        event("cuda_runtime", "cudaMalloc", 1, 0, 3000, correlation=1), launch(3000, 2),
        kernel(3010, 80, 7, 2)],
    "a kernel behind its step": [
        e for i in range(6) for e in (event("user_annotation", f"ProfilerStep#{i}", 1, 1000 * i, 1000),
                                      event("cpu_op", "aten::mm", 1, 1000 * i, 50),
                                      launch(1000 * i + 10, i + 1),
                                      kernel(1000 * i + 20, 900 if i < 5 else 750000, 7, i + 1))],
    "two streams at once": [
        e for i in range(6) for e in (event("user_annotation", f"ProfilerStep#{i}", 1, 1000 * i, 1000),
                                      launch(1000 * i + 10, 2 * i + 1), launch(1000 * i + 20, 2 * i + 2),
                                      kernel(1000 * i + 30, 900, 7, 2 * i + 1),
                                      kernel(1000 * i + 30, 900, 8, 2 * i + 2))],
    "long ops of two threads": [
        e for i in range(6) for e in (
            event("user_annotation", f"ProfilerStep#{i}", 1, 50000 * i, 50000),
            event("cpu_op", "aten::item", 1, 50000 * i + 10, 45000),
            event("cpu_op", "aten::sort", 2, 50000 * i + 10, 49000),
            launch(50000 * i + 49000, i + 1), kernel(50000 * i + 49010, 900, 7, i + 1))],
}


def main():
    with tempfile.TemporaryDirectory() as work:
        for name, events in DRAWN.items():
            path = os.path.join(work, "drawn.json")
            with open(path, "w", encoding="utf-8") as f:
                f.write(json.dumps({"schemaVersion": 1, "traceEvents": events}))
            check_trace(name, path)
        for name in scenarios():
            path = os.path.join(work, f"{name}.json")
            with open(path, "wb") as f:
                subprocess.run([FIXTURES, name, "--steps", "6"], stdout=f, check=True)
            check_trace(name, path)
            os.remove(path)
    samples = sorted(glob.glob(os.path.join(SHARED, "traces", "*.json*"))
                     + glob.glob(os.path.join(SHARED, "samples", "nsys", "*.sqlite")))
    for path in samples:
        check_trace(os.path.basename(path), path)
    print(f"{checked - failed} passed, {failed} failed, {int(not samples)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
