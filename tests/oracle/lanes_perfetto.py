#!/usr/bin/env python3
"""`cut --lanes perfetto`: no two slices of one lane overlap without nesting, work never lies in work,
device work is on as many lanes as runs side by side at most, streams of graphs together; nothing but
tids is changed, arrows go where their slices do, and an analysis finds the same figures.
CHECK_ALL=1: all real traces."""
import collections
import decimal
import gzip
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
ALL = os.environ.get("CHECK_ALL")
REAL = ["hta_simple_add", "tl_h100_bert", "tl_norm_layer"]
MADE = ["graphs", "multi-stream", "python-stacks"]
COMMANDS = ["top", "top --by stream", "kernels", "idle --streams", "comms", "copies", "launches", "steps", "critical",
            "timeline --slices 20 --lanes 50", "stacks", "info", "check"]
WORK = {"kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", "Memset"}
# Of the file, whose names of lanes are events, too.
FILE = {"text_bytes", "events_text", "disk_bytes", "objects", "m_events", "events"}

passed, failures = 0, []


def expect(what, ok, told=""):
    global passed
    passed += bool(ok)
    if not ok:
        failures.append(f"{what}: {str(told)[:300]}")


def run(args):
    return subprocess.run([TRACEQ] + args, capture_output=True)


def read(path):
    raw = open(path, "rb").read()
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    d = json.loads(raw.decode("utf-8", "surrogateescape"), parse_float=decimal.Decimal, strict=False)
    events = d["traceEvents"] if isinstance(d, dict) else d
    return [e for e in events if e]


def ns(text):
    return int(decimal.Decimal(text) * 1000)


def span(e):
    start = ns(e["ts"])
    return start, start + max(0, ns(e.get("dur", 0)))


def place(e):
    return str(e.get("pid")), str(e.get("tid"))


def is_slice(e):
    return e.get("ph") == "X" and "ts" in e and "tid" in e


def is_work(e):
    return e.get("cat") in WORK


def is_of_graph(e):
    return bool(int((e.get("args") or {}).get("graph node id") or 0))


def torn(events):
    """Slices of one lane that overlap and do not nest, or work in work."""
    lanes = collections.defaultdict(list)
    for e in events:
        if is_slice(e):
            lanes[place(e)].append((*span(e), is_work(e), e["name"]))
    odd = []
    for lane, v in lanes.items():
        open_, v = [], sorted(v, key=lambda s: (s[0], -s[1]))
        for s in v:
            while open_ and open_[-1][1] <= s[0]:
                open_.pop()
            if open_ and (s[1] > open_[-1][1] or (s[2] and any(o[2] for o in open_))):
                odd.append((lane, s, open_[-1]))
            open_.append(s)
    return odd


def deepest(spans):
    """How many run side by side at most; what takes no time runs beside what it begins in."""
    moments = sorted([(a, 2 if a == b else 1, 1) for a, b in spans] + [(b, 3 if a == b else 0, -1) for a, b in spans])
    most = now = 0
    for _, _, d in moments:
        now += d
        most = max(most, now)
    return most


def check_lanes(what, before, after):
    expect(what + " torn", not torn(after), torn(after)[:2])
    old, new = [e for e in before if is_slice(e)], [e for e in after if is_slice(e)]
    expect(what + " slices", len(old) == len(new), (len(old), len(new)))
    streams = collections.defaultdict(lambda: ([], set(), []))
    for e, f in zip(old, new):
        e, f = dict(e), dict(f)
        spans, lanes, graphs = streams[place(e)]
        if is_work(e):
            spans.append(span(e))
            graphs.append(is_of_graph(e))
        lanes.add((place(f), is_work(e)))
        e.pop("tid"), f.pop("tid")
        expect(what + " changed", e == f, (e, f))
    folded = collections.defaultdict(list)
    for (pid, tid), (spans, lanes, graphs) in streams.items():
        used = {p for p, work in lanes if work}
        if spans and all(graphs):
            folded[pid].append((spans, used))
        elif spans:
            expect(f"{what} lanes of {pid} {tid}", len(used) == deepest(spans), (len(used), deepest(spans)))
    for pid, group in folded.items():
        most = deepest([s for spans, _ in group for s in spans])
        used = set().union(*(u for _, u in group))
        expect(f"{what} graphs of {pid}", len(used) == most, (len(used), most))


def check_arrows(what, before, after):
    """An arrow that begins or ends in a slice of its lane still does, and in the one of its call."""
    def slices(events):
        at = collections.defaultdict(list)
        for i, e in enumerate(x for x in events if is_slice(x)):
            at[place(e)].append((*span(e), i, (e.get("args") or {}).get("correlation")))
        return at
    moved = {place(e) for e, f in zip(filter(is_slice, before), filter(is_slice, after)) if place(e) != place(f)}
    old, new = slices(before), slices(after)
    arrows = [e for e in before if e.get("ph") in ("s", "t", "f")], [e for e in after if e.get("ph") in ("s", "t", "f")]
    for e, f in zip(*arrows):
        if place(e) not in moved:
            expect(what + " arrow", e == f, (e, f))
            continue
        t = ns(e["ts"])
        was = {i: c for a, b, i, c in old[place(e)] if a <= t < b or a == t}
        now = {i: c for a, b, i, c in new[place(f)] if a <= t < b or a == t}
        expect(what + " arrow", bool(was) == bool(now) and set(now) <= set(was), (e, f))
        if e.get("cat") == "ac2g" and e["id"] in was.values():
            expect(what + " arrow's call", e["id"] in now.values(), (e, f))


def check_names(what, before, after):
    old = collections.Counter(json.dumps(e, sort_keys=True, default=str) for e in before if e.get("ph") == "M")
    new = collections.Counter(json.dumps(e, sort_keys=True, default=str) for e in after if e.get("ph") == "M")
    expect(what + " metadata", not old - new, list(old - new)[:1])
    named = {(e["name"], place(e)) for e in after if e.get("ph") == "M"}
    for lane in {place(e) for e in after if is_slice(e)} - {place(e) for e in before if is_slice(e)}:
        for name in ("thread_name", "thread_sort_index", "traceq_lane"):
            expect(f"{what} {name}", (name, lane) in named, lane)


def check_figures(what, command, path, out):
    a, b = run(command.split() + ["--json", path]), run(command.split() + ["--json", out])
    expect(f"{what} {command} exit", a.returncode == b.returncode, (a.stderr, b.stderr))
    if a.returncode == 2:
        return
    x, y = json.loads(a.stdout), json.loads(b.stdout)
    if command == "info":
        x, y = ({"tables": [t for t in d["tables"] if t["id"] in ("lanes", "gpus", "steps")]} for d in (x, y))
    for t, u in zip(x["tables"], y["tables"]):
        if command == "check" and t["id"] == "health":
            continue  # shares of the events of the file
        odd = [(k, r[k], s[k]) for r, s in zip(t["rows"], u["rows"]) for k in r
               if r[k] != s[k] and k not in FILE and not str(s[k]).startswith("graphs")]
        expect(f"{what} {command} {t['id']}", len(t["rows"]) == len(u["rows"]) and not odd, odd[:3])


def check(what, path, folder):
    out, again = os.path.join(folder, "lanes.json"), os.path.join(folder, "again.json")
    done = run(["cut", path, "--lanes", "perfetto", "-o", out, "-q", "-j", "1"])
    expect(what, done.returncode == 0, done.stderr)
    run(["cut", path, "--lanes", "perfetto", "-o", again, "-q", "-j", "4"])
    expect(what + " threads", open(out, "rb").read() == open(again, "rb").read())
    before, after = read(path), read(out)
    check_lanes(what, before, after)
    check_arrows(what, before, after)
    check_names(what, before, after)
    for command in COMMANDS:
        check_figures(what, command, path, out)
    run(["cut", out, "--lanes", "perfetto", "-o", again, "-q"])
    strip = [[dict(e, **{}) for e in read(p) if e.get("ph") != "M"] for p in (out, again)]
    expect(what + " twice", strip[0] == strip[1])


def kernel(name, stream, start, dur, call, node=0):
    return {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": start, "dur": dur,
            "args": {"device": 0, "stream": stream, "correlation": call, "graph node id": node}}


def drawn():
    """Times in us.  Stream 7: b runs beside a; c behind a, in a region that b runs out of.  Streams 20 to
    22: of graphs, two side by side at most.  Thread 5: y crosses x."""
    def host(name, start, dur, cat="cpu_op", **args):
        return {"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 5, "ts": start, "dur": dur, "args": args}
    events = [{"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7"}},
              {"ph": "M", "name": "thread_sort_index", "pid": 0, "tid": 7, "args": {"sort_index": 3}},
              host("x", 0, 50), host("y", 40, 30), host("z", 45, 5)]
    events += [host("cudaLaunchKernel", i, 1, "cuda_runtime", correlation=i) for i in (1, 2, 3, 4, 5, 6)]
    events += [kernel("a", 7, 100, 20, 1), kernel("b", 7, 110, 20, 2), kernel("c", 7, 120, 5, 3),
               {"ph": "X", "cat": "gpu_user_annotation", "name": "region", "pid": 0, "tid": 7, "ts": 99, "dur": 26},
               kernel("g", 20, 100, 4, 4, 9), kernel("h", 21, 102, 4, 5, 9), kernel("i", 22, 105, 4, 6, 9)]
    for e in list(events):
        a = e.get("args", {})
        if e.get("cat") == "kernel":
            events.append({"ph": "f", "bp": "e", "cat": "ac2g", "name": "ac2g", "id": a["correlation"], "pid": 0,
                           "tid": e["tid"], "ts": e["ts"]})
        elif e.get("cat") == "cuda_runtime":
            events.append({"ph": "s", "cat": "ac2g", "name": "ac2g", "id": a["correlation"], "pid": 1, "tid": 5,
                           "ts": e["ts"]})
    return events


def check_drawn(folder):
    path, out = os.path.join(folder, "drawn.json"), os.path.join(folder, "drawn_out.json")
    open(path, "w").write(json.dumps({"traceEvents": drawn()}))
    check("drawn", path, folder)
    run(["cut", path, "--lanes", "perfetto", "-o", out, "-q"])
    lane = {e["name"]: e["tid"] for e in read(out) if is_slice(e)}
    names = {e["tid"]: e["args"]["name"] for e in read(out) if e.get("name") == "thread_name"}
    expect("drawn stream", lane["a"] == lane["c"] == lane["region"] == 7 != lane["b"], lane)
    expect("drawn names", names.get(lane["b"]) == "stream 7 (2)", names)
    expect("drawn graphs", lane["g"] == lane["i"] == 20 and lane["h"] == 21, lane)
    expect("drawn host", lane["x"] == lane["z"] == 5 != lane["y"], lane)
    order = {e["tid"]: e["args"]["sort_index"] for e in read(out) if e.get("name") == "thread_sort_index"}
    expect("drawn order", order.get(lane["b"]) == 3, order)


def check_merge(folder):
    paths = []
    for rank in range(2):
        paths.append(os.path.join(folder, f"rank{rank}.json"))
        with open(paths[-1], "wb") as f:
            subprocess.run([FIXTURES, "multi-rank", "--world", "2", "--rank", str(rank), "--steps", "2"], stdout=f,
                           check=True)
        events = json.load(open(paths[-1]))
        work = [e for e in events["traceEvents"] if e.get("cat") == "kernel"]
        events["traceEvents"].append(dict(work[0], name="beside", dur=float(work[0]["dur"]) / 2))
        open(paths[-1], "w").write(json.dumps(events))
    out = os.path.join(folder, "merged.json")
    done = run(["merge", *paths, "--lanes", "perfetto", "-o", out, "-q"])
    expect("merge", done.returncode == 0 and not torn(read(out)), done.stderr)
    lanes = [e for e in read(out) if e.get("name") == "traceq_lane"]
    expect("merge lanes", sorted(e["pid"] // 5000000 for e in lanes) == [0, 1], lanes)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_drawn(folder)
        check_merge(folder)
        real = os.path.join(SHARED, "traces")
        names = sorted(os.listdir(real)) if os.path.isdir(real) else []
        for name in names:
            if ".json" in name and (ALL or any(name.startswith(r + ".") for r in REAL)):
                check(name, os.path.join(real, name), folder)
        for scenario in MADE:
            path = os.path.join(folder, scenario + ".json")
            with open(path, "wb") as f:
                subprocess.run([FIXTURES, scenario, "--steps", "3"], stdout=f, check=True)
            check(scenario, path, folder)
    for f in failures[:40]:
        print("FAIL", f)
    print(f"{passed} passed, {len(failures)} failed, {0 if names else 1} skipped")
    return bool(failures)


sys.exit(main())
