#!/usr/bin/env python3
"""`traceq cut`: what is written is what was there, no arrow lacks an end, no kernel its launch, and
an analysis of a cut finds the figures of --steps over the whole.  Events are judged here by Python's
json alone; figures by traceq against itself.  CHECK_ALL=1: all real traces and scenarios."""
import bisect
import collections
import functools
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

from judging import reading

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
MARK = "number "
ALL = os.environ.get("CHECK_ALL")
REAL = ["tb_resnet50_nw4_a", "hta_ns_resolution", "hta_amd_mi250", "tl_mi300_qwen"]
MADE = ["graphs", "comm-bound"] + (["healthy", "python-stacks"] if ALL else [])
COMMANDS = ["top", "top --by op", "top --by shape", "top --by step", "kernels", "idle", "comms", "copies", "launches",
            "summary", "steps", "stages", "roofline", "timeline --slices 20", "critical"]
# Figures that --steps does not choose from the whole either, or that are of the trace that is read.
WHOLE = [
    ("*", "totals", "events events_text", "events of the file"),
    ("*", "run_devices", "*", "the whole recording"),
    ("idle", "*", "hta_host_wait_ns hta_kernel_wait_ns hta_other_ns", "HTA's, of the whole recording"),
    ("idle", "streams", "*", "a stream's gap may begin long before the cut"),
    ("idle", "causes longest", "behind", "an operator that began before the cut is not in it"),
    ("launches", "queues totals unmatched", "*", "depths and counts of the whole recording"),
    ("critical", "evidence", "*", "calls of the whole recording"),
    ("critical", "what_if slack bound path steps", "*", "delays that launches need are learnt from what is there"),
    ("timeline", "queues", "*", "the whole recording"),
    ("critical", "owners phases", "*", "operators that began before the cut are not in it"),
    ("summary", "overview", "verdict_text", "what changes save: delays are learnt from what is there"),
    ("summary", "memory", "*", "records of old traces say changes only, not what is held"),
]

passed, failures = 0, []


def expect(what, ok, told=""):
    global passed
    passed += bool(ok)
    if not ok:
        failures.append(f"{what}: {str(told)[:300]}")


def run(args, data=None):
    return subprocess.run([TRACEQ] + args, capture_output=True, input=data)


def read(path):
    """The document; fractions as they are spelled, behind a mark that no text has."""
    raw = open(path, "rb").read()
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    d = json.loads(raw.decode("utf-8", "surrogateescape"), parse_float=MARK.__add__, strict=False)
    d = {"traceEvents": d} if isinstance(d, list) else d
    d["traceEvents"] = [e for e in d["traceEvents"] if e]
    return d


def ns(number):
    return reading.ns(str(number).removeprefix(MARK))


def times(e):
    start = ns(e["ts"])
    return start, start + max(0, ns(e.get("dur", 0)))


def call(e):
    a = e.get("args")
    return a.get("correlation") if isinstance(a, dict) and e.get("ph") == "X" else None


frozen = repr


def around(spans, start, end):
    """Whether it happens in one of the stretches."""
    return any((start < b and end > a) or a <= start < b for a, b in spans)


def lane(e):
    """Device work is apart from threads of the same numbers."""
    a = e.get("args", {})
    return str(e["pid"]), str(e["tid"]), str(a.get("device")), str(a.get("stream"))


class Whole:
    """The trace that is cut: of each event its text, its call, its time where it is a slice."""

    def __init__(self, document):
        self.document, self.events = document, document["traceEvents"]
        self.texts = [frozen(e) for e in self.events]
        self.calls = [call(e) for e in self.events]
        self.times = [times(e) if e.get("ph") == "X" and "ts" in e else None for e in self.events]
        self.lanes = collections.defaultdict(list)
        for e, number, time in zip(self.events, self.calls, self.times):
            if number:
                self.lanes[lane(e)].append((time[0], number))
        for rows in self.lanes.values():
            rows.sort(key=lambda r: r[0])

    def neighbours(self, spans):
        """Calls of the work of each lane that is nearest to a stretch on either side."""
        near = set()
        for rows in self.lanes.values():
            at = [r[0] for r in rows]
            for a, b in spans:
                i, j = bisect.bisect_left(at, a), bisect.bisect_left(at, b)
                for time in at[max(i - 1, 0):i] + at[j:j + 1]:
                    near |= {r[1] for r in rows[bisect.bisect_left(at, time):bisect.bisect_right(at, time)]}
        return near

    def kept(self, spans):
        """The texts of metadata and slices that belong into a cut."""
        inside = [bool(t) and around(spans, *t) for t in self.times]
        calls = {c for c, i in zip(self.calls, inside) if c and i} | self.neighbours(spans)
        return collections.Counter(text for e, text, c, i in zip(self.events, self.texts, self.calls, inside)
                                   if i or c and c in calls or e.get("ph") == "M")


def check_events(what, whole, cut):
    """Against the stretches that the cut says are whole."""
    note, events = cut.get("traceq_cut"), whole.events
    expect(what + " note", note and note["time"], cut.keys())
    spans = note["time"]
    texts = [frozen(e) for e in cut["traceEvents"]]
    over = collections.Counter(texts) - collections.Counter(whole.texts)
    expect(what + " subset", not over, list(over)[:1])
    want = whole.kept(spans)
    got = collections.Counter(t for e, t in zip(cut["traceEvents"], texts) if e.get("ph") in ("M", "X"))
    expect(what + " slices", got == want, f"{sum((got - want).values())} too many, "
           f"{sum((want - got).values())} missing: {list((want - got) or (got - want))[:1]}")
    ends = collections.defaultdict(set)
    for e in cut["traceEvents"]:
        if e.get("ph") in ("s", "f"):
            ends[(e.get("cat"), e["id"])].add(e["ph"])
    all_ends = collections.defaultdict(set)
    for e in events:
        if e.get("ph") in ("s", "f"):
            all_ends[(e.get("cat"), e["id"])].add(e["ph"])
    torn = [k for k, v in ends.items() if v != all_ends[k]]
    expect(what + " arrows", not torn, torn[:3])
    expect(what + " members", {k: v for k, v in cut.items() if k not in ("traceEvents", "traceq_cut")} ==
           {k: v for k, v in whole.document.items() if k not in ("traceEvents", "traceq_cut")})


@functools.lru_cache(None)
def is_whole(command, table, column):
    return any((c in ("*", command.split()[0])) and (t == "*" or table in t.split()) and
               (k == "*" or column in k.split()) for c, t, k, _ in WHOLE)


def same(x, y):
    if isinstance(x, float) or isinstance(y, float):
        return x is not None and y is not None and abs(x - y) <= 1e-9 * max(abs(x), abs(y))
    return x == y


def check_figures(what, command, whole, steps, cut):
    rows = [] if command.split()[0] in ("summary", "timeline", "roofline", "steps", "stages") else ["-n", "0"]
    a = run(command.split() + rows + ["--json", "--steps", steps, whole])
    b = run(command.split() + rows + ["--json", cut])
    expect(f"{what} {command} exit", a.returncode == b.returncode, (a.stderr, b.stderr))
    if a.returncode == 2 or b.returncode == 2:
        return
    x, y = json.loads(a.stdout), json.loads(b.stdout)
    tables = {t["id"]: t for t in y["tables"]}
    for t in x["tables"]:
        u = tables.get(t["id"])
        if is_whole(command, t["id"], "*any*"):
            continue
        for part in ("rows", "footer"):
            r, s = t.get(part) or [], (u or {}).get(part) or []
            odd = [(k, p[k], q.get(k)) for p, q in zip(r, s) for k in p
                   if not is_whole(command, t["id"], k) and not same(p[k], q.get(k))]
            expect(f"{what} {command} {t['id']} {part}", len(r) == len(s) and not odd,
                   f"{len(r)} rows, {len(s)} in the cut; {odd[:2]}")


def steps_of(path):
    info = json.loads(run(["info", "--json", path]).stdout)
    row = next((r for t in info["tables"] for r in t["rows"] if "first_step" in r), {})
    return row.get("first_step"), row.get("last_step")


def check_identity(what, path, whole, folder):
    out = os.path.join(folder, "all.json.gz")
    done = run(["cut", path, "-o", out, "-q"])
    expect(what + " identity", done.returncode == 0 and read(out) == whole, done.stderr)


def check_trace(what, path, folder):
    document = read(path)
    check_identity(what, path, document, folder)
    whole = Whole(document)
    first, last = steps_of(path)
    if first is None:
        return
    middle = (first + last) // 2
    for steps in sorted({f"{middle}", f"{first}-{middle}"}):
        out = os.path.join(folder, "cut.json")
        done = run(["cut", path, "--steps", steps, "-o", out, "-q", "-j", "1"])
        expect(f"{what} --steps {steps}", done.returncode == 0, done.stderr)
        if done.returncode:
            continue
        text = open(out, "rb").read()
        run(["cut", path, "--steps", steps, "-o", out, "-q", "-j", "4"])
        expect(f"{what} threads", open(out, "rb").read() == text)
        check_events(f"{what} {steps}", whole, read(out))
        for command in COMMANDS:
            check_figures(f"{what} {steps}", command, path, steps, out)
    again = os.path.join(folder, "again.json")
    done = run(["cut", out, "-o", again, "-q"])
    expect(what + " cut of a cut", done.returncode == 0 and read(again) == read(out), done.stderr)


# Counters hold; two events are one slice; asynchronous slices are whole; an arrow from outside goes.
SMALL = """{"traceEvents": [
 {"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}},
 {"ph":"C","name":"power","pid":1,"ts":10,"args":{"W":1}},
 {"ph":"C","name":"power","pid":1,"ts":20,"args":{"W":2}},
 {"ph":"C","name":"power","pid":1,"ts":150,"args":{"W":3}},
 {"ph":"C","name":"power","pid":1,"ts":250,"args":{"W":4}},
 {"ph":"B","name":"outer","pid":1,"tid":1,"ts":50},
 {"ph":"B","name":"early","pid":1,"tid":1,"ts":60},
 {"ph":"E","pid":1,"tid":1,"ts":70},
 {"ph":"B","name":"inner","pid":1,"tid":1,"ts":120},
 {"ph":"E","pid":1,"tid":1,"ts":130},
 {"ph":"E","pid":1,"tid":1,"ts":260},
 {"ph":"b","cat":"x","id":7,"name":"long","pid":1,"tid":1,"ts":90},
 {"ph":"e","cat":"x","id":7,"name":"long","pid":1,"tid":1,"ts":190},
 {"ph":"b","cat":"x","id":8,"name":"gone","pid":1,"tid":1,"ts":10},
 {"ph":"e","cat":"x","id":8,"name":"gone","pid":1,"tid":1,"ts":20},
 {"ph":"s","cat":"fwdbwd","id":3,"name":"f","pid":1,"tid":1,"ts":60},
 {"ph":"f","cat":"fwdbwd","id":3,"name":"f","pid":1,"tid":1,"ts":120},
 {"ph":"s","cat":"fwdbwd","id":4,"name":"f","pid":1,"tid":1,"ts":110},
 {"ph":"f","cat":"fwdbwd","id":4,"name":"f","pid":1,"tid":1,"ts":120},
 {"ph":"X","cat":"cpu_op","name":"before","pid":1,"tid":2,"ts":0,"dur":100},
 {"ph":"X","cat":"cpu_op","name":"over","pid":1,"tid":2,"ts":100,"dur":100},
 {"ph":"X","cat":"cpu_op","name":"moment","pid":1,"tid":2,"ts":100,"dur":0},
 {"ph":"X","cat":"cpu_op","name":"after","pid":1,"tid":2,"ts":200,"dur":5},
 {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":20,"dur":2,"args":{"correlation":9}},
 {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":150,"dur":2,"args":{"correlation":9,"device":0,"stream":7}}
]}"""
SMALL_KEPT = ["M process_name", "C power 150", "B outer 50", "E 260", "B inner 120", "E 130", "b long 90", "e long 190",
              "s f 110", "f f 120", "X over 100", "X moment 100", "X cudaLaunchKernel 20", "X k 150", "C power 100"]


def check_small(folder):
    path, out = os.path.join(folder, "small.json"), os.path.join(folder, "small_cut.json")
    open(path, "w").write(SMALL)
    done = run(["cut", path, "--time", "100us-200us", "-o", out])
    expect("small", done.returncode == 0 and b"15 of 25 events" in done.stdout, done)
    cut = read(out)["traceEvents"]
    got = [" ".join(str(v) for v in (e["ph"], e.get("name"), e.get("ts")) if v is not None) for e in cut]
    got = [re.sub(r"\.000$", "", g.replace(MARK, "")) for g in got]
    expect("small kept", sorted(got) == sorted(SMALL_KEPT), set(got) ^ set(SMALL_KEPT))
    held = [e["args"]["W"] for e in cut if e["ph"] == "C" and ns(e["ts"]) == 100000]
    expect("small counter", held == [2], held)
    done = run(["cut", "-", "--time", "100us-200us", "-o", "-"], SMALL.encode())
    expect("small pipe", done.returncode == 0 and json.loads(done.stdout, parse_float=MARK.__add__)["traceEvents"] ==
           cut, done.stderr)
    done = run(["cut", path, "-o", out, "-q", "-f", "over|k$", "--no-args"])
    names = sorted({e["name"] for e in read(out)["traceEvents"] if e["ph"] == "X"})
    expect("small filter", names == ["cudaLaunchKernel", "k", "over"] or names == ["k", "over"], names)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_small(folder)
        real = os.path.join(SHARED, "traces")
        names = sorted(os.listdir(real)) if os.path.isdir(real) else []
        for name in names:
            if ".json" in name and (ALL or any(name.startswith(r + ".") for r in REAL)):
                check_trace(name, os.path.join(real, name), folder)
        for scenario in MADE:
            path = os.path.join(folder, scenario + ".json")
            with open(path, "wb") as f:
                subprocess.run([FIXTURES, scenario], stdout=f, check=True)
            check_trace(scenario, path, folder)
    for f in failures[:40]:
        print("FAIL", f)
    print(f"{passed} passed, {len(failures)} failed, {0 if names else 1} skipped")
    return bool(failures)


sys.exit(main())
