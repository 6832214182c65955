#!/usr/bin/env python3
"""What `cut --annotate` writes, and what `cut --around` keeps, against the answers they come from.

Annotated slices of a row nest and none is torn; those of the critical path tile the steps that count; idle
slices lie where no work of their device is.  Figures of the annotated file are those of the plain one, as JSON
and as Perfetto's protobuf.  The cut around a gap has the gap whole, and `idle` finds it there.
"""
import bisect
import collections
import decimal
import json
import os
import subprocess
import sys
import tempfile

from judging import traces

TRACEQ = os.environ["TRACEQ"]
SHARED = os.environ.get("SHARED", "../shared")
WORK = {"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset"}
ANSWERS = ("top", "idle", "critical", "kernels", "steps")
LARGE = 20000000 if os.environ.get("CHECK_ALL") else 200000

checked = collections.Counter()
failures = []


def expect(name, what, got, want):
    checked[name] += 1
    if got != want:
        failures.append(f"{name}: {what}: got {got!r}, expected {want!r}")


def ns(us):
    return int((decimal.Decimal(us) * 1000).to_integral_value(decimal.ROUND_HALF_EVEN))


def cut(path, out, *more):
    done = subprocess.run([TRACEQ, "cut", path, "-q", "-o", out, *more], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr or "failed"


def tables(command, path, *more):
    """The code of the exit where there is no answer."""
    done = subprocess.run([TRACEQ, command, path, "--json", "-q", *more], capture_output=True)
    if done.returncode != 0:
        return done.returncode
    return {(t["id"], t["title"]): t["rows"] for t in json.loads(done.stdout)["tables"]}


def rows_of(found, table):
    return [] if isinstance(found, int) else [r for t, v in found.items() if t[0] == table for r in v]


def slices(events):
    return [(ns(e["ts"]), ns(e["ts"]) + ns(e["dur"]), e) for e in events if e["ph"] == "X" and "dur" in e]


def check_rows(name, own):
    rows = collections.defaultdict(list)
    for start, end, event in slices(own):
        rows[event["tid"]].append((start, -end))
    for tid, row in rows.items():
        torn, held = 0, []
        for start, end in sorted(row):
            while held and held[-1] <= start:
                held.pop()
            torn += bool(held) and -end > held[-1]
            held.append(-end)
        expect(name, f"slices that are torn in row {tid}", torn, 0)


def named(own, name):
    tids = {e["tid"] for e in own if e["ph"] == "M" and e["name"] == "thread_name" and e["args"]["name"] == name}
    return [s for s in slices(own) if s[2]["tid"] in tids]


def check_path(name, own):
    path = sorted(s[:2] for s in named(own, "critical path"))
    counted = [s[:2] for s in named(own, "steps") if s[2]["args"]["in the figures"] == "yes"]
    for start, end in counted if path else []:
        inside = sum(max(0, min(b, end) - max(a, start)) for a, b in path)
        expect(name, f"the path in the step at {start}", inside, end - start)
    expect(name, "pieces of the path that overlap", sum(a[1] > b[0] for a, b in zip(path, path[1:])), 0)


def check_idle(name, own, events):
    work = collections.defaultdict(list)
    for start, end, event in slices(events):
        if str(event.get("cat")).lower() in WORK and end > start and start > 0:
            args = event.get("args", {})
            work[str(args.get("device", event["pid"]))].append((start, end))
    for device, v in work.items():
        v.sort()
        starts = [s for s, _ in v]
        latest = []
        for _, end in v:
            latest.append(max(end, latest[-1]) if latest else end)
        for start, end, event in named(own, f"idle, device {device}"):
            at = bisect.bisect_left(starts, end)
            expect(name, f"work during {event['args']['id']}", at > 0 and latest[at - 1] > start, False)


def check_arrows(name, own, events):
    """Both ends of each arrow are in a slice of their row."""
    ends, rows = collections.defaultdict(list), collections.defaultdict(list)
    for start, end, event in slices(events):
        rows[str(event["pid"]), str(event["tid"])].append((start, end))
    latest = {}
    for row, v in rows.items():
        v.sort()
        most, latest[row] = 0, []
        for _, end in v:
            most = max(most, end)
            latest[row].append(most)
    for e in own:
        if e["ph"] in "sf":
            ends[e["id"]].append(e["ph"])
            row, at = (str(e["pid"]), str(e["tid"])), ns(e["ts"])
            n = bisect.bisect_right(rows[row], (at, float("inf")))
            expect(name, f"slice at an arrow's end, {row} {at}", n > 0 and latest[row][n - 1] >= at, True)
    expect(name, "arrows with two ends", {tuple(v) for v in ends.values()} <= {("s", "f")}, True)


def check_annotated(name, path, folder):
    plain, full = (os.path.join(folder, f, "t.json") for f in "ab")
    more = ("--annotate", "critical,idle,findings,steps")
    expect(name, "cut", cut(path, plain) + cut(path, full, *more), "")
    with open(full, encoding="utf-8", errors="replace") as f:
        events = json.load(f, parse_float=decimal.Decimal, strict=False)["traceEvents"]
    own = [e for e in events if e.get("cat") == "traceq"]
    expect(name, "there are marks", bool(own), True)
    expect(name, "their processes", len({e["pid"] for e in own if e["ph"] not in "sf"}), 1)
    check_rows(name, own)
    check_path(name, own)
    check_arrows(name, own, events)
    check_idle(name, own, events)
    for answer in ANSWERS:
        expect(name, answer, tables(answer, full), tables(answer, plain))
    expect(name, "pftrace", cut(path, plain + ".pftrace") + cut(path, full + ".pftrace", *more), "")
    for answer in ANSWERS[1:]:  # counters have no category there: top counts them as events
        expect(name, answer + " of pftrace", tables(answer, full + ".pftrace"), tables(answer, plain + ".pftrace"))


def check_around(name, path, folder):
    out = os.path.join(folder, "around.json")
    gaps = rows_of(tables("idle", path), "longest")
    for gap in gaps[:2] + gaps[len(gaps) // 2:][:1] + gaps[-1:]:
        expect(name, "cut around " + gap["id"], cut(path, out, "--around", gap["id"]), "")
        with open(out, encoding="utf-8", errors="replace") as f:
            note = json.load(f, strict=False)["traceq_cut"]
        start, length = note["first_ns"] + int(gap["id"].split("@")[1].split("+")[0]), gap["gap_ns"]
        expect(name, gap["id"] + " is in the cut", any(a <= start and start + length <= b for a, b in note["time"]),
               True)
        found = tables("idle", out, "-n", "0")
        same = [r["gap_ns"] for r in rows_of(found, "longest") if r["id"] == gap["id"]]
        # Before the first work of a stream in the cut nothing is known: no gap is counted there.
        if same or gap["class"] != "dependency":
            expect(name, gap["id"] + " in idle of the cut", length in same, True)


def main():
    real = [p for p in traces.real(SHARED, 0) if os.path.getsize(p) < LARGE]
    with tempfile.TemporaryDirectory() as folder:
        for sub in "ab":
            os.mkdir(os.path.join(folder, sub))
        for path in real:
            check_annotated(traces.name_of(path), path, folder)
            check_around(traces.name_of(path), path, folder)
    for line in failures[:40]:
        print(line)
    print(f"{sum(checked.values()) - len(failures)} passed, {len(failures)} failed, {0 if checked else 1} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
