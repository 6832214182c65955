#!/usr/bin/env python3
"""`critical`: what must hold of its tables on every trace, real and generated.

Owners, names, segments and steps add up to the window, in whole ns, and the window is that of
`steps`; phases to it less what is unrecorded; segments touch within a step; nothing is on the path
for longer than there is of it; a change by factor 1 saves nothing, one that makes nothing longer no
less than nothing.  Prints what differs.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
TRACES = os.path.join(os.environ.get("SHARED", "../shared"), "traces")
SCENARIOS = ["dataloader-bound", "launch-bound", "comm-bound", "graphs", "rocm", "cpu-only", "tiny",
             "gpu-only", "inference", "multi-stream", "serving-full-queue", "runs-ahead",
             "second-idle", "mixed", "gloo-cpu"]
SAME = "kernel=1,comm=1,copy=1,op:.=1,host=1,host:.=1,launch=1,dataloader=1,gap=1"


class Tally:
    """What one trace gives; traces are looked at beside each other."""

    def __init__(self, what):
        self.what, self.passed, self.failures = what, 0, []

    def expect(self, what, holds, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failures.append(f"FAIL {self.what}: {what} {detail}")


def ask(*argv):
    """The tables' rows by id; None where there is no answer."""
    done = subprocess.run([TRACEQ, *argv, "--json", "-q"], capture_output=True)
    if done.returncode != 0:
        return None
    return {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]}


def sums(t, a):
    window = a["bound"][0]["window_ns"]
    unrecorded = sum(r["on_path_ns"] for r in a["path"] if r["class"] == "unrecorded")
    for table, key in (("path", "on_path_ns"), ("owners", "on_path_ns"),
                       ("steps", "duration_ns"), ("segments", "duration_ns")):
        if table in a:
            have = sum(r[key] for r in a[table])
            t.expect(f"{table} add up", have == window, f"{have} {window}")
    have = sum(r["on_path_ns"] for r in a["phases"])
    t.expect("phases add up", have == window - unrecorded, f"{have} {window - unrecorded}")
    for table in ("owners", "phases", "segments"):
        have = sum(r.get("segments", 1) for r in a[table] if r.get("class") != "unrecorded")
        want = sum(r["segments"] for r in a["path"] if r["class"] != "unrecorded")
        t.expect(f"as many segments in {table}", have == want, f"{have} {want}")
    for r in a.get("steps", []):
        bounds = sum(v for k, v in r.items() if k.endswith("_bound_ns"))
        owners = sum(v for k, v in r.items() if k.endswith("_ns") and not k.endswith("_bound_ns"))
        t.expect(f"owners of step {r['step']}", owners == 2 * r["duration_ns"])
        t.expect(f"bounds of step {r['step']}",
                 bounds + r["unrecorded_ns"] == r["duration_ns"])


def segments(t, a):
    for before, after in zip(a["segments"], a["segments"][1:]):
        end = before["start_ns"] + before["duration_ns"]
        if before["step"] == after["step"] and end != after["start_ns"]:
            t.expect("segments touch", False, f"{before} {after}")
            return
    t.expect("segments touch", True)


def figures(t, a):
    for r in a["owners"]:
        t.expect("no more on the path than there is",
                 r["total_ns"] is None or r["on_path_ns"] <= r["total_ns"], str(r))
    for r in a.get("slack", []):
        t.expect("slack", 0 <= r["least_slack_ns"] <= r["median_slack_ns"], str(r))
    window = a["bound"][0]["window_ns"]
    for r in a["what_if"]:
        t.expect(r["scenario"], r["saves_ns"] + r["window_then_ns"] == window
                 and 0 <= r["saves_ns"] <= window, str(r))


def look(what, path, *options):
    t = Tally(what + " " + " ".join(options))
    a = ask("critical", path, "-n", "0", "--list", *options)
    if a is None or "bound" not in a:
        t.expect("an answer", False)
        return t
    sums(t, a)
    segments(t, a)
    figures(t, a)
    same = ask("critical", path, "--what-if", SAME)
    t.expect("factor 1", all(r["saves_ns"] == 0 for r in same["what_if"] if r["given"]))
    if a.get("steps"):
        numbers = {r["step"] for r in a["steps"]}
        want = [r for r in ask("steps", path)["steps"] if r["step"] in numbers]
        t.expect("steps", {(r["step"], r["wall_ns"]) for r in want}
                 == {(r["step"], r["duration_ns"]) for r in a["steps"]})
    return t


def main():
    with tempfile.TemporaryDirectory() as folder:
        asked = []
        for name in SCENARIOS:
            path = os.path.join(folder, name + ".json")
            with open(path, "wb") as out:
                subprocess.run([FIXTURES, name, "--steps", "3"], stdout=out, check=True)
            asked.append((name, path))
        asked.append(("dataloader-bound", asked[0][1], "--steps", "3,5"))
        asked += [(os.path.basename(p), p) for p in sorted(glob.glob(TRACES + "/*.json*"))]
        with ThreadPoolExecutor(2) as pool:
            tallies = list(pool.map(lambda a: look(*a), asked))
    failures = [f for t in tallies for f in t.failures]
    for line in failures:
        print(line)
    passed = sum(t.passed for t in tallies)
    skipped = 0 if os.path.isdir(TRACES) else 1
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    sys.exit(1 if failures else 0)


main()
