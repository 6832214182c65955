#!/usr/bin/env python3
"""Ids of stretches of time against the events of the trace, read plainly.

Of every id that `idle`, `critical` and `diagnose` print, for real traces and generated ones: a gap holds no
work of its device and touches work at both ends, or the trace's; pieces of the path lie end to end and tile
the steps; a finding lies where the trace has an event, a gap or a step.  And an id is the same with other
options: of one step, with fewer rows.
"""
import bisect
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

from judging import traces
from judging.reading import events, ns

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ.get("FIXTURES", "build/release/fixtures")
SHARED = os.environ.get("SHARED", "../shared")
WORK = {"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset"}
GAP = re.compile(r"^gap:(-?\d+)@(-?\d+)(?:\+(\d+))?$")
PIECE = re.compile(r"^(path|[A-Z]\d\d)@(-?\d+)\+(\d+)$")
# Rules whose findings are about what a device waits for: they lie in a gap.
IN_GAPS = {"G01", "G02", "G07", "G09", "G15", "G16"}

checked = collections.Counter()
failures = []


def expect(name, what, got, want):
    checked[name] += 1
    if got != want:
        failures.append(f"{name}: {what}: got {got!r}, expected {want!r}")


def tables_of(command, path, *more):
    """None where there is no answer."""
    done = subprocess.run([TRACEQ, command, path, "--json", "-q", *more], capture_output=True)
    if done.returncode != 0:
        return None
    return {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]}


def number(value):
    text = str(value)
    return int(text[7:] if text.startswith("stream ") else text)


class Trace:
    """Slices and device work: (start, end) in ns, and their names."""

    def __init__(self, path):
        self.work, self.slices = collections.defaultdict(list), collections.defaultdict(set)
        self.zero, self.last = None, None
        for e in events(path):
            if isinstance(e, dict) and e.get("ph") == "X" and "ts" in e and e.get("cat"):
                self.take(e)
        self.ends = {}
        for work in self.work.values():
            work.sort()
        for device, work in self.work.items():
            latest, so_far = [], None
            for _, end in work:
                so_far = end if so_far is None else max(so_far, end)
                latest.append(so_far)
            self.ends[device] = latest

    def take(self, e):
        cat = str(e["cat"]).lower()
        start = ns(e["ts"])
        end = start + max(0, ns(e.get("dur") or 0))
        args = e.get("args") or {}
        if cat in WORK and start == 0:
            return
        if cat != "trace":
            self.zero = start if self.zero is None else min(self.zero, start)
            self.last = end if self.last is None else max(self.last, end)
        self.slices[(start, end)].add(str(e.get("name", "")))
        if cat in WORK:
            self.work[number(args.get("device", e.get("pid")))].append((start, end))

    def gap(self, device, at):
        """What lies around a moment: the latest end of what has begun, the next start."""
        work, latest = self.work[device], self.ends[device]
        n = bisect.bisect_right(work, (at, float("inf")))
        return latest[n - 1] if n else self.zero, work[n][0] if n < len(work) else self.last

    def is_idle(self, device, start, end):
        """No work inside of it."""
        work, latest = self.work[device], self.ends[device]
        n = bisect.bisect_left(work, (end, -1))
        return n == 0 or latest[n - 1] <= start


def check_gap(name, t, row):
    m = GAP.match(row["id"])
    expect(name, f"{row['id']}: it is an id of a gap", bool(m), True)
    if not m:
        return
    device, start = int(m[1]), t.zero + int(m[2])
    expect(name, f"{row['id']}: device", device, row["device"])
    expect(name, f"{row['id']}: at", row["at_ns"], row["start_ns"] - t.zero)
    expect(name, f"{row['id']}: a length without a filter", m[3], None)
    before, after = t.gap(device, start)
    expect(name, f"{row['id']}: begins where work ends", start, before)
    expect(name, f"{row['id']}: has length", start < after, True)
    expect(name, f"{row['id']}: is idle", t.is_idle(device, start, after), True)
    inside = start <= row["start_ns"] and row["start_ns"] + row["gap_ns"] <= after
    expect(name, f"{row['id']}: the row's part is inside", inside, True)


def check_idle(name, path, t):
    """The same gaps have the same ids with other options."""
    whole = tables_of("idle", path, "-n", "0")
    if not whole or "longest" not in whole:
        return
    ids = {}
    for row in whole["longest"]:
        check_gap(name, t, row)
        ids[(row["device"], row["start_ns"])] = row["id"]
    few = tables_of("idle", path, "-n", "3")["longest"]
    expect(name, "ids of three rows", [r["id"] for r in few], [r["id"] for r in whole["longest"][:3]])
    steps = [r["step"] for r in whole["longest"] if r["step"] is not None]
    some = tables_of("idle", path, "-n", "0", "--steps", str(steps[0])) if steps else None
    for row in some["longest"] if some else []:
        check_gap(name, t, row)
        key = (row["device"], row["start_ns"])
        if key in ids:
            expect(name, "id with --steps", row["id"], ids[key])
    for row in (tables_of("idle", path, "-n", "20", "--cat", "kernel") or {}).get("longest", []):
        m = GAP.match(row["id"])
        expect(name, f"{row['id']}: a length with --cat", bool(m and m[3]), True)


def place(name, t, row, word):
    """(start, end) in times of the file, or None."""
    m = PIECE.match(row["id"] or "")
    expect(name, f"{row['id']}: it is an id of {word}", bool(m) and m[1] == word, True)
    return (t.zero + int(m[2]), t.zero + int(m[2]) + int(m[3])) if m else None


def check_critical(name, path, t):
    answer = tables_of("critical", path, "--list", "-n", "0")
    if not answer or not answer.get("segments"):
        return
    rows, by_owner, per_step = answer["segments"], collections.defaultdict(list), {}
    end = None
    for row in rows:
        span = place(name, t, row, "path")
        expect(name, f"{row['id']}: start and length", span,
               (row["start_ns"], row["start_ns"] + row["duration_ns"]))
        step = per_step.setdefault(row["step"], [span[0], span[1], 0])
        expect(name, f"{row['id']}: lies behind the one before", end is None or span[0] >= end, True)
        if step[2]:
            expect(name, f"{row['id']}: touches the one before", span[0], step[1])
        step[1], step[2], end = span[1], step[2] + 1, span[1]
        owner = "ProfilerStep*" if (row["name"] or "").startswith("ProfilerStep#") else row["name"]
        by_owner[(row["class"], owner)].append((span[1] - span[0], -span[0], row["id"]))
    expect(name, "the pieces tile the steps", sum(s[1] - s[0] for s in per_step.values()),
           answer["bound"][0]["window_ns"])
    for row in answer.get("owners", []):
        longest = max(by_owner[(row["class"], row["name"])])
        expect(name, f"longest piece of {row['class']} {row['name']}", (row["longest_ns"], row["id"]),
               (longest[0], longest[2]))


def check_diagnose(name, path, t):
    answer = tables_of("diagnose", path)
    if not answer or "findings" not in answer:
        return
    device = answer["verdict"][0]["device"]
    steps = tables_of("steps", path) or {}
    starts = {r["start_ns"] for r in steps.get("steps", [])} | {t.zero}
    for row in answer["findings"]:
        if row["severity"] in ("ok", "unknown"):
            expect(name, f"{row['rule']}: no place", row["id"], None)
            continue
        span = place(name, t, row, row["rule"])
        if not span:
            continue
        what = f"{row['id']}"
        expect(name, f"{what}: has length", span[0] < span[1], True)
        expect(name, f"{what}: in the trace", t.zero <= span[0] and span[1] <= t.last, True)
        if row["rule"] in IN_GAPS:
            expect(name, f"{what}: the device is idle", t.is_idle(device, *span), True)
        elif row["rule"] == "G10" and device is not None:
            idle = t.is_idle(device, *span)
            expect(name, f"{what}: in a gap, else the call", idle or span in t.slices, True)
        elif row["at_ns"] is not None:
            expect(name, f"{what}: its event", (span[0], span[1] - span[0]),
                   (row["at_ns"], row["longest_ns"]))
            expect(name, f"{what}: is in the trace", span in t.slices, True)
        elif steps.get("steps"):
            expect(name, f"{what}: begins with a step", span[0] in starts, True)


def check(name, path):
    t = Trace(path)
    if t.zero is None:
        return
    check_idle(name, path, t)
    check_critical(name, path, t)
    check_diagnose(name, path, t)


SCENARIOS = ["healthy", "dataloader-bound", "copy-bound", "launch-bound", "comm-bound", "multi-gpu", "leak",
             "graphs", "runs-ahead", "inference", "cpu-only", "expert-dispatch"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        for scenario in SCENARIOS:
            with open(path, "wb") as out:
                subprocess.run([FIXTURES, scenario, "--steps", "6"], stdout=out, check=True)
            check(scenario, path)
    real = traces.real(SHARED, 1)
    for path in real:
        check(traces.name_of(path), path)
    for text in failures[:40]:
        print(text)
    print(f"{sum(checked.values()) - len(failures)} passed, {len(failures)} failed, {0 if real else 1} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
