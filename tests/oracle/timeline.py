#!/usr/bin/env python3
"""`timeline` and the histograms of `launches`: slices add up to what summary, copies and launches say
of the whole, on real and on generated traces, and a slice is what the events in it say."""
import collections
import glob
import functools
import json
import os
import subprocess
import sys
import tempfile

from judging.reading import events, ns

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
SCENARIOS = ["healthy", "copy-bound", "comm-bound", "multi-stream", "multi-gpu", "gpu-only", "tiny"]

passed = 0
failures = []


def expect(what, is_true, why):
    global passed
    passed += 1
    if not is_true:
        failures.append(f"{what}: {why}")


def near(a, b, tolerance=1e-9):
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


def traceq(*argv):
    done = subprocess.run([TRACEQ, *argv, "--json", "-q"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        return {}
    tables = collections.defaultdict(list)
    for t in json.loads(done.stdout)["tables"]:
        tables[t["id"]].extend(t["rows"])
    return tables


def by(rows, *keys):
    groups = collections.defaultdict(list)
    for r in rows:
        groups[tuple(r[k] for k in keys)].append(r)
    return groups


def check_devices(what, rows, devices):
    whole = {d["device"]: d for d in devices}
    for (device,), slices in by(rows, "device").items():
        want = whole[device]
        for key, total in (("compute_ratio", "compute_ns"), ("exposed_comm_ratio", "exposed_comm_ns"),
                           ("exposed_memcpy_ratio", "exposed_memcpy_ns"), ("busy_ratio", "busy_ns")):
            got = sum(s[key] * s["length_ns"] for s in slices)
            expect(what, near(got, want[total], 1e-6), f"GPU {device} {key}: {got}, {want[total]}")
        for s in slices:
            total = sum(s[k] for k in ("compute_ratio", "exposed_comm_ratio",
                                       "exposed_memcpy_ratio", "idle_ratio"))
            expect(what, near(total, 1), f"slice at {s['at_ns']} adds up to {total}")
        for a, b in zip(slices, slices[1:]):
            expect(what, a["at_ns"] + a["length_ns"] == b["at_ns"], f"hole at {b['at_ns']}")


def check_rest(what, timeline, copies, launches):
    sized = sum(r["bytes"] or 0 for r in copies["copies"] if r["kind"] == "memcpy")
    got = sum(r["bytes"] for r in timeline["copies"])
    expect(what, near(got, sized, 1e-6), f"bytes {got}, {sized}")
    if launches["totals"]:
        count = collections.Counter()
        for r in launches["histograms"]:
            count[r["what"]] += r["count"]
            expect(what, r["from_ns"] < r["to_ns"], f"bin {r}")
        linked = launches["totals"][0]["linked"] + (launches["totals"][0]["graph"] or 0)
        for word in ("launching call", "launch delay"):
            expect(what, count[word] == linked, f"{word}: {count[word]}, {linked}")


def busy_within(spans, low, high):
    """Length of the union of sorted spans inside of [low, high)."""
    at, busy = low, 0
    for start, end in spans:
        if start >= high:
            break
        start, end = max(start, at), min(end, high)
        if end > start:
            busy += end - start
            at = end
    return busy


@functools.lru_cache(None)
def zero_of(path):
    """Where times are counted from: the first slice of the trace."""
    return min(ns(e["ts"]) for e in events(path) if e.get("ph") in ("X", "B") and e.get("cat", "Trace") != "Trace")


def check_events(what, path, rows):
    """The busy time of every slice, from the events themselves: one device only."""
    if len({r["device"] for r in rows}) != 1:
        return
    spans = []
    for e in events(path):
        if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset") and e.get("ph") == "X":
            spans.append((ns(e["ts"]), ns(e["ts"]) + ns(e["dur"])))
    if not spans:
        return
    spans.sort()
    zero = zero_of(path)
    expect(what, rows[0]["at_ns"] == spans[0][0] - zero, f"begins at {rows[0]['at_ns']}")
    for r in rows:
        low, high = zero + r["at_ns"], zero + r["at_ns"] + r["length_ns"]
        busy = busy_within(spans, low, high)
        expect(what, near(r["busy_ratio"], busy / r["length_ns"], 1e-6),
               f"slice at {r['at_ns']}: busy {r['busy_ratio']}, {busy / r['length_ns']}")


def check_lanes(what, path):
    """Streams and threads from the events themselves: all of them, the busiest first."""
    rows = traceq("timeline", path, "--slices", "23", "--lanes", "1000")["lanes"]
    spans = collections.defaultdict(list)
    for e in events(path):
        if e.get("ph") == "X" and e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset", "cpu_op",
                                                   "cuda_runtime", "cuda_driver"):
            spans[str(e["pid"]), str(e["tid"])].append((ns(e["ts"]), ns(e["ts"]) + ns(e["dur"])))
    device = [s for e in events(path) if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")
              for s in [(ns(e["ts"]), ns(e["ts"]) + ns(e["dur"]))]]
    first, last, zero = min(s for s, _ in device), max(e for _, e in device), zero_of(path)
    lanes = by(rows, "pid", "tid")
    want = {k: busy_within(sorted(v), first, last) for k, v in spans.items()}
    expect(what, {k for k, v in want.items() if v} == set(lanes), f"lanes {sorted(lanes)}")
    sums = [v[0]["busy_ns"] for v in lanes.values()]
    expect(what, sums == sorted(sums, reverse=True), f"order {sums}")
    for key, slices in lanes.items():
        expect(what, slices[0]["busy_ns"] == want[key], f"{key} {slices[0]['busy_ns']}")
        for r in slices:
            low = zero + r["at_ns"]
            busy = busy_within(sorted(spans[key]), low, low + r["length_ns"])
            expect(what, near(r["busy_ratio"], busy / r["length_ns"], 1e-9),
                   f"{key} at {r['at_ns']}: {r['busy_ratio']}, {busy / r['length_ns']}")
    few = traceq("timeline", path, "--slices", "23", "--lanes", "2")["lanes"]
    expect(what, few == rows[:len(few)] and len(by(few, "pid", "tid")) == min(2, len(lanes)), "two")


def kind_of(event):
    if event["cat"] == "gpu_memcpy":
        return "copy"
    return "comm" if event["name"].startswith("nccl") else "compute"


def cut(pieces, low, high):
    """Of pieces by start the part behind all before, inside of [low, high)."""
    at = low
    for start, end, kind in sorted(pieces, key=lambda p: p[0]):
        start, end = max(start, at), min(end, high)
        if start < end:
            yield start, end, kind
            at = end


def beside(pieces, others):
    """The parts of pieces in which none of the others runs."""
    for start, end, kind in pieces:
        for low, high, _ in others:
            if high > start and low < end:
                if low > start:
                    yield start, low, kind
                start = max(start, high)
        if start < end:
            yield start, end, kind


def exposed(pieces, low, high):
    """What a device does: computing before communicating before copying, and nothing."""
    done = []
    for kind in ("compute", "comm", "copy"):
        own = list(cut([p for p in pieces if p[2] == kind], low, high))
        done = sorted(done + list(beside(own, done)))
    return sorted(done + list(beside([(low, high, "idle")], done)))


def bunches(pieces, low, column, is_device):
    """Marks: (start, end, kind, busy, pieces)."""
    marks, open_at = [], None
    for start, end, kind in pieces:
        at = (start - low) // column
        if end - start >= column:
            marks.append([start, end, {kind: end - start}, 1])
            open_at = None
        elif kind == "idle":
            continue
        elif at == open_at:
            marks[-1][1] = end
            marks[-1][2][kind] = marks[-1][2].get(kind, 0) + end - start
            marks[-1][3] += 1
        else:
            marks.append([start, end, {kind: end - start}, 1])
            open_at = at
    order = ["compute", "comm", "copy", "idle"]
    return [(s, e - s, max(order, key=lambda k: (by.get(k, 0), -order.index(k))),
             sum(by.values()), n) for s, e, by, n in marks]


def check_marks(what, path, columns):
    """The marks of devices and streams, from the events themselves; of threads what they add up to."""
    rows = traceq("timeline", path, "--marks", str(columns), "--lanes", "1000")["marks"]
    work = collections.defaultdict(list)
    host = collections.defaultdict(list)
    for e in events(path):
        if e.get("ph") != "X":
            continue
        span = (ns(e["ts"]), ns(e["ts"]) + ns(e["dur"]))
        if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
            work[int(e["args"]["device"]), int(e["args"]["stream"])].append((*span, kind_of(e)))
        elif e.get("cat") in ("cpu_op", "cuda_runtime", "cuda_driver") or \
                e["name"].startswith("enumerate(DataLoader)"):
            host[str(e["tid"])].append(span)
    spans = [p for v in work.values() for p in v]
    low, high = min(p[0] for p in spans), max(p[1] for p in spans)
    column = max((high - low) // columns, 1)
    lanes = by([r for r in rows if r["lane"]], "sort", "device", "stream", "tid")
    whole = [r for r in rows if r["sort"] == "whole"]
    zero = zero_of(path)
    expect(what, [(r["at_ns"] + zero, r["length_ns"]) for r in whole] == [(low, high - low)], str(whole))
    seen = set()
    for (sort, device, stream, tid), marks in lanes.items():
        got = [(r["at_ns"] + zero, r["length_ns"], r["kind"], r["busy_ns"], r["pieces"]) for r in marks]
        if sort == "thread":
            want = busy_within(sorted(host[tid]), low, high)
            expect(what, sum(g[3] for g in got) == want, f"thread {tid}: {want}")
            expect(what, all(g[3] <= g[1] for g in got), f"thread {tid}: busier than long")
            continue
        seen.add((device, stream))
        if sort == "stream":
            pieces = list(cut(work[device, stream], low, high))
        else:
            pieces = exposed([p for (d, _), v in work.items() if d == device for p in v], low, high)
            got = [(*g[:2], g[2] if g[2] in ("compute", "comm", "copy") else "idle", *g[3:])
                   for g in got]
        want = bunches(pieces, low, column, sort == "device")
        expect(what, got == want, f"{sort} {device} {stream} in {columns}: "
               f"{sorted(set(got) - set(want))[:3]} for {sorted(set(want) - set(got))[:3]}")
    several = {d for d, _ in work if sum(k[0] == d for k in work) > 1}
    expect(what, seen == {(d, None) for d, _ in work} | {k for k in work if k[0] in several},
           f"lanes {seen}")
    check_causes(what, path, rows)


def check_causes(what, path, rows):
    """Gaps have the causes of `idle`, where it looks at them whole."""
    causes = collections.defaultdict(set)
    for g in traceq("idle", path, "-n", "0")["longest"]:
        causes[g["device"], g["gap_ns"]].add((g["class"], g["name"]))
    for r in rows:
        known = causes.get((r["device"], r["length_ns"]))
        if known and r["sort"] == "device" and r["kind"] not in ("compute", "comm", "copy"):
            expect(what, (r["kind"], r["name"]) in known, f"{r} for {known}")


def check(what, path, with_events):
    timeline = traceq("timeline", path, "--slices", "37")
    rows = timeline.get("timeline", [])
    if not rows:
        return
    check_devices(what, rows, traceq("summary", path)["run_devices"])
    check_rest(what, timeline, traceq("copies", path, "-n", "0"), traceq("launches", path))
    if with_events:
        check_events(what, path, rows)


def main():
    for path in sorted(glob.glob(os.path.join(SHARED, "traces", "*.json*"))):
        check(os.path.basename(path), path, os.path.getsize(path) < 3e6)
    with tempfile.TemporaryDirectory() as folder:
        for scenario in SCENARIOS:
            path = os.path.join(folder, scenario + ".json")
            with open(path, "wb") as out:
                subprocess.run([FIXTURES, scenario], stdout=out, check=True)
            check(scenario, path, True)
            check_lanes(scenario, path)
            for columns in (7, 100, 1000, 100000):
                check_marks(scenario, path, columns)
    for line in failures[:60]:
        print("FAIL", line)
    print(f"{passed - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
