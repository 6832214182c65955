#!/usr/bin/env python3
"""What `fixtures transcode` writes is what the JSON text says, event for event: decoded by a reader
that is neither traceq's nor the generator's.  Scenarios, drawn cases, and real traces.
CHECK_ALL=1: all real traces."""
import collections
import decimal
import gzip
import json
import os
import subprocess
import sys
import tempfile

from judging import perfetto_format, xplane_format

FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
ALL = os.environ.get("CHECK_ALL")
SCENARIOS = ["tiny", "graphs", "multi-gpu", "rocm", "python-stacks", "expert-dispatch"]
ON_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset", "cuda_sync", "gpu_user_annotation", "Kernel", "Memcpy", "Memset")
REAL = ["hta_alexnet", "tl_h100_bert", "hta_event_sync_multi", "hta_2021_tiny"]
# Crossing rows, equal begins, rows without length that touch, ids that are words, numbers at their
# limits, nested and empty arguments, counters, flows, two categories with one flow id, no args.
DRAWN = """{"traceEvents": [
 {"ph":"M","name":"process_name","pid":-3,"tid":0,"args":{"name":"under"}},
 {"ph":"X","cat":"cpu_op","name":"a","pid":7,"tid":9,"ts":1.0005,"dur":10,"args":{"x":[[1,[]],{"y":null}],"z":1.5}},
 {"ph":"X","cat":"cpu_op","name":"b","pid":7,"tid":9,"ts":5,"dur":10},
 {"ph":"X","cat":"cpu_op","name":"c","pid":7,"tid":9,"ts":6,"dur":12,"args":{}},
 {"ph":"X","cat":"cpu_op","name":"d","pid":7,"tid":9,"ts":18,"dur":0},
 {"ph":"X","cat":"cpu_op","name":"e","pid":7,"tid":9,"ts":18,"dur":0},
 {"ph":"X","cat":"cpu_op","name":"f","pid":7,"tid":9,"ts":18,"dur":0.5,"args":{"big":9223372036854775807,"low":-9223372036854775808,"t":true,"q":"\\u00e9\\ud83d\\ude00\\""}},
 {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":9,"ts":20,"dur":1,"args":{"correlation":12}},
 {"ph":"s","cat":"ac2g","name":"ac2g","id":12,"pid":7,"tid":9,"ts":20},
 {"ph":"s","cat":"fwdbwd","name":"fwdbwd","id":12,"pid":7,"tid":9,"ts":18},
 {"ph":"f","cat":"fwdbwd","name":"fwdbwd","id":12,"pid":7,"tid":9,"ts":20,"bp":"e"},
 {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":"stream 3","ts":22,"dur":3,"args":{"correlation":12,"device":0,"stream":3}},
 {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":"stream 3","ts":25,"dur":3,"args":{"correlation":13,"device":0,"stream":3}},
 {"ph":"f","cat":"ac2g","name":"ac2g","id":12,"pid":0,"tid":"stream 3","ts":22,"bp":"e"},
 {"ph":"X","cat":"gpu_memset","name":"m","pid":0,"tid":"stream 3","ts":30,"dur":5,"args":{"device":0,"stream":3}},
 {"ph":"X","cat":"gpu_memcpy","name":"n","pid":0,"tid":"stream 3","ts":33,"dur":5,"args":{"device":0,"stream":3}},
 {"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":-3,"tid":4294967496,"ts":1,"dur":40},
 {"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":-3,"tid":4294967496,"ts":2,"args":{"Bytes":-5}},
 {"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":-3,"tid":4294967496,"ts":2,"args":{"Bytes":6}},
 {"ph":"C","cat":"nvml","name":"power (W)","pid":0,"tid":0,"ts":3,"args":{"":71.25}},
 {"ph":"C","cat":"nvml","name":"power (W)","pid":0,"tid":0,"ts":4,"args":{"":72}},
 {"ph":"X","cat":"Trace","name":"PyTorch Profiler (0)","pid":"Spans","tid":"PyTorch Profiler","ts":0.5,"dur":60}
], "baseTimeNanoseconds": 1700000000000000000, "deviceProperties": [{"id": 0}], "rank": "r\\n"}"""

passed, failures = 0, []


def expect(what, got, want):
    global passed
    passed += got == want
    if got != want:
        failures.append(f"{what}: {str(got)[:300]}, not {str(want)[:300]}")


def same(what, got, want):
    """Two lists of rows, in any order."""
    got, want = (collections.Counter(json.dumps(r, sort_keys=True) for r in rows) for rows in (got, want))
    over, missing = list((got - want).elements()), list((want - got).elements())
    expect(f"{what}: {len(over)} rows over, {len(missing)} missing", (over[:1], missing[:1]), ([], []))


def nanoseconds(us):
    return int((decimal.Decimal(us) * 1000).to_integral_value(decimal.ROUND_HALF_EVEN))


def arguments(value, top=True):
    """As an annotation has them: null is its word, and nothing tells an empty list from an object."""
    if isinstance(value, dict):
        inner = {k: arguments(v, False) for k, v in value.items()}
        return inner if inner or top else None
    if isinstance(value, list):
        return [arguments(v, False) for v in value] or None
    if isinstance(value, decimal.Decimal):
        return float(value)
    return "null" if value is None else value


def read(document):
    d = json.loads(document, parse_float=decimal.Decimal, strict=False)
    return (d, d["traceEvents"]) if isinstance(d, dict) else ({}, d)


def number(word):
    try:
        return int(word)
    except ValueError:
        return None


def wanted(events, base):
    for e in events:
        if e.get("ph") not in ("X", "i", "I") or "ts" not in e:
            continue
        yield e, {"name": e["name"], "cat": e.get("cat", ""), "ts": nanoseconds(e["ts"]) + base,
                  "dur": nanoseconds(e.get("dur", 0)) if e["ph"] == "X" else None,
                  "args": arguments(e.get("args") or {})}


def cut_crossing(rows):
    """On a device, an open row that a later one begins in and outlasts ends where that begins."""
    lanes = collections.defaultdict(list)
    for r in rows:
        if r["cat"] in ON_DEVICE:
            lanes[str(r["lane"])].append(r)
    for lane in lanes.values():
        lane.sort(key=lambda r: (r["ts"], -r["dur"]))
        for i, r in enumerate(lane):
            for before in lane[:i][-50:]:
                if r["ts"] < before["ts"] + before["dur"] < r["ts"] + r["dur"]:
                    before["dur"] = r["ts"] - before["ts"]


def lane_of(e):
    return [None if i is None else i & 0x7fffffff for i in (number(str(e[k])) for k in ("pid", "tid"))]


def same_rows(what, t, want):
    """Rows of tracks; a pid or tid that is a word has a number that the text does not have."""
    known = {tuple(r["lane"]) for r in want}
    got = []
    for r in t.rows:
        lane = list(t.tracks[r["track"]][:2])
        if tuple(lane) not in known:
            lane = [i if any(k[n] == i for k in known) else None for n, i in enumerate(lane)]
        got.append({k: r[k] for k in ("name", "ts", "dur", "args")} | {"lane": lane})
    expect(f"{what} lanes", len({t.tracks[r["track"]][:2] for r in t.rows}) >= len(known), True)
    same(what, got, [{k: v for k, v in r.items() if k != "cat"} for r in want])


def rows_of(events, base):
    return [row | {"lane": lane_of(e)} for e, row in wanted(events, base) if e["ph"] == "X" and row["cat"] != "Trace"]


def check_pftrace(what, document):
    top, events = read(document)
    want = rows_of(events, top.get("baseTimeNanoseconds", 0))
    same_rows(what, perfetto_format.Grouped(transcode("pftrace", document)), want)


STAGES = {"kernel": "Kernel", "Kernel": "Kernel", "gpu_memcpy": "Memcpy", "Memcpy": "Memcpy", "gpu_memset": "Memset",
          "Memset": "Memset", "gpu_user_annotation": "Annotation"}


COLLECTIVE = ("Collective name", "In msg nelems", "dtype", "Group size", "Process Group Name", "Process Group Ranks",
              "In split size")


def cut_overlaps(rows):
    """Work on a lane ends at the latest where the next begins."""
    lanes = collections.defaultdict(list)
    for r in rows:
        if r["cat"] != "gpu_user_annotation":
            lanes[str(r["where"])].append(r)
    for lane in lanes.values():
        lane.sort(key=lambda r: (r["ts"], -r["dur"]))
        for r, after in zip(lane, lane[1:]):
            r["dur"] = min(r["dur"], after["ts"] - r["ts"])


def stage_rows(events, base):
    rows = []
    for e, row in wanted(events, base):
        if e["ph"] != "X" or row["cat"] not in STAGES:
            continue
        args = row["args"]
        device, stream = (args[k] if k in args else number(str(e[of])) or 0 for k, of in (("device", "pid"), ("stream", "tid")))
        rows.append({"stage": STAGES[row["cat"]], "cat": row["cat"], "ts": row["ts"], "dur": row["dur"],
                     "name": row["name"] if STAGES[row["cat"]] in ("Kernel", "Annotation") else STAGES[row["cat"]],
                     "where": [str(e["pid"]), str(e["tid"])], "lane": [device, stream],
                     "correlation": int(args.get("correlation", 0)), "bytes": args.get("bytes", 0),
                     "grid": args.get("grid"), "block": args.get("block"),
                     "group": {k: None if k not in args else args[k] if isinstance(args[k], str) else
                               json.dumps(args[k], separators=(",", ":")) for k in COLLECTIVE},
                     "launch": {name: args[key] for name, key in (("registers_per_thread", "registers per thread"),
                                                                   ("shared_mem_dynamic", "shared memory")) if args.get(key)}})
    cut_overlaps(rows)
    for r in rows:
        del r["where"], r["cat"]
        if not (r["grid"] and r["block"] and r["grid"][0]):
            r["grid"] = r["block"] = r["launch"] = None
        else:
            r["launch"]["thread_count"] = r["block"][0] * r["block"][1] * r["block"][2]
    return rows


def check_stages(what, document):
    top, events = read(document)
    base = top.get("baseTimeNanoseconds", 0)
    t = perfetto_format.Grouped(transcode("pftrace-stages", document))
    want = [r for r in rows_of(events, base) if r["cat"] not in STAGES]
    cut_crossing(want)
    same_rows(what, t, want)
    same(f"{what} categories", [[r["name"], r["cat"]] for r in t.rows], [[r["name"], r["cat"]] for r in want])
    expect(f"{what} clock", t.realtime, 0)
    same(f"{what} ids", [r["id"] for r in t.stages], range(1, len(t.stages) + 1))
    launched = collections.defaultdict(list)
    for r in t.stages:
        launched[int(r["args"].get("correlation", 0))].append(r["id"])
    for r in t.rows:
        if r["cat"] in ("cuda_runtime", "cuda_driver", "Runtime"):
            is_launch = any(word in r["name"] for word in ("Launch", "Memcpy", "Memset"))
            number_of = int(r["args"].get("correlation", 0)) if is_launch else 0
            expect(f"{what} launched", r["stages"], launched.get(number_of, []) if number_of else [])
    got = []
    for r in t.stages:
        expect(f"{what} stream", int(r["args"]["stream id"]), int(r["lane"][1].removeprefix("stream ")))
        expect(f"{what} device", int(r["args"]["device id"]), r["lane"][0])
        got.append({k: r[k] for k in ("stage", "name", "ts", "dur")} | {
            "lane": [r["lane"][0], int(r["lane"][1].removeprefix("stream "))], "correlation": int(r["args"].get("correlation", 0)),
            "bytes": int(r["args"].get("bytes", 0)), "grid": r.get("grid"), "block": r.get("block"),
            "launch": r.get("launch"), "group": {k: r["args"].get(k) for k in COLLECTIVE}})
    same(f"{what} stages", got, stage_rows(events, base))


def check_flows(what, t, events):
    """A flow leads from a row that begins where it starts to those that begin where it ends."""
    starts = collections.defaultdict(set)
    for r in t.rows:
        for flow in r["flows"] + r["ends"]:
            starts[flow].add((r["ts"], r["dur"] is not None))
    begins = {(str(e.get("pid")), str(e.get("tid")), nanoseconds(e["ts"])) for e in events if e.get("ph") == "X"}
    flows = collections.defaultdict(set)
    for e in events:
        if e.get("ph") in "sf" and (str(e.get("pid")), str(e.get("tid")), nanoseconds(e["ts"])) in begins:
            flows[e.get("cat"), str(e["id"])].add((nanoseconds(e["ts"]), True))
    same(f"{what} flows", [sorted(s) for s in starts.values()], [sorted(s) for s in flows.values()])


def check_perfetto(what, document):
    top, events = read(document)
    t = perfetto_format.Trace(transcode("perfetto", document))
    want, got = [], []
    for e, row in wanted(events, 0):
        ids = [number(str(e.get(k, ""))) for k in ("pid", "tid")]
        want.append(row | {"lane": [None if i is None else i if -1 << 31 <= i < 1 << 31 else i & 0x7fffffff for i in ids]})
    for r in t.rows:
        lane = [None if i >= 0x7f000000 and i < 0x7f001000 else i for i in t.lane(r["track"])[:2]]
        got.append({k: r[k] for k in ("name", "cat", "ts", "dur", "args")} | {"lane": lane})
    same(what, got, want)
    check_flows(what, t, events)
    expect(f"{what} base", t.realtime, top.get("baseTimeNanoseconds"))
    expect(f"{what} metadata", sorted(t.metadata), sorted(k for k in top if k != "traceEvents"))
    for k, v in t.metadata.items():
        if isinstance(top[k], (dict, list)):
            expect(f"{what} {k}", json.loads(v), json.loads(json.dumps(top[k], default=float)))
    samples = [[e["name"] + (f" {k}" if k else ""), e["pid"], nanoseconds(e["ts"]), float(v)]
               for e in events if e.get("ph") == "C" for k, v in e["args"].items()]
    same(f"{what} counters", [[n, p, ts, float(v)] for n, p, ts, v in t.counters], samples)


def details(row, args):
    """What XLA's texts say of work, from the arguments."""
    def dims(key):
        return ",".join(str(v) for v in args[key]) if isinstance(args.get(key), list) and len(args[key]) == 3 else ""
    if row["cat"] in ("kernel", "Kernel"):
        share = args.get("est. achieved occupancy %", 0)
        return "kernel_details", (f" regs:{args.get('registers per thread', 0)} static_shared:0 dynamic_shared:"
                                  f"{args.get('shared memory', 0)} grid:{dims('grid')} block:{dims('block')} occ_pct:{share:g}")
    if row["cat"] in ("gpu_memset", "Memset"):
        return "memset_details", f"kind:device num_bytes:{args.get('bytes', 0)} async:1"
    inside = row["name"].partition("(")[2].partition(")")[0]
    source, _, target = inside.lower().partition(" -> ") if " -> " in inside else ("unknown", "", "unknown")
    return "memcpy_details", f"kind_src:{source} kind_dst:{target} size:{args.get('bytes', 0)} dest:{args.get('device', 0)} async:1"


def xplane_row(e, row):
    args, name = row["args"], row["name"]
    if row["cat"] in STAGES:
        device, stream = (args[k] if k in args else number(str(e[of])) for k, of in (("device", "pid"), ("stream", "tid")))
        kinds = [k for k in ("HtoD", "DtoH", "DtoD", "PtoP") if k in name]
        kind = STAGES[row["cat"]] if STAGES[row["cat"]] != "Memcpy" else f"Memcpy{kinds[0].replace('to', '2')}" if kinds else "MemcpyOther"
        said = dict([details(row, args)])
        if "correlation" in args:
            said["correlation_id"] = int(args["correlation"])
        if "context" in args:
            said["context_id"] = f"$${args['context']}"
        return {"plane": f"/device:GPU:{device}", "line": stream, "name": name if kind == "Kernel" else kind, "stats": said}
    if row["cat"].endswith(("_runtime", "_driver")) or row["cat"] == "Runtime":
        said = {"correlation_id": int(args["correlation"])} if "correlation" in args else {}
    else:
        said = {k: int(v) if isinstance(v, bool) else v for k, v in args.items()
                if v is not None and not isinstance(v, (list, dict)) and not (v == "null" and e["args"][k] is None)}
    if name.startswith("ProfilerStep#"):
        said |= {"step_num": int(name[13:]), "_r": 1}
        name = "train"
    return {"plane": "/host:CPU", "line": number(str(e["tid"])), "name": name, "stats": said}


def check_xplane(what, document):
    top, events = read(document)
    space = xplane_format.Space(transcode("xplane", document))
    want = [xplane_row(e, row) | {"ts": row["ts"], "dur": row["dur"]} for e, row in wanted(events, 0) if e["ph"] == "X" and
            row["cat"] not in ("Trace", "overhead", "cuda_sync", "gpu_user_annotation")]
    start = min((r["ts"] for r in want), default=0)
    for r in want:
        r["ts"] -= start
    numbers = {r["line"] for r in want}
    got = []
    for r in space.rows:
        if r["plane"] != "/host:CPU":
            expect(f"{what} stream", r["line_name"].startswith(f"Stream #{r['line']}("), True)
        got.append({k: r[k] for k in ("plane", "name", "ts", "dur", "stats")} | {"line": r["line"] if r["line"] in numbers else None})
    same(what, got, want)
    environment = space.planes["Task Environment"]
    expect(f"{what} start", environment["profile_start_time"], top.get("baseTimeNanoseconds", 0) + start)
    for d in top.get("deviceProperties", []):
        said = space.planes.get(f"/device:GPU:{d.get('id')}")
        if said and "numSms" in d:
            expect(f"{what} device", [said["core_count"], said["memory_size"], said["compute_cap_major"]],
                   [d["numSms"], d["totalGlobalMem"], d["computeMajor"]])


def transcode(layout, document):
    done = subprocess.run([FIXTURES, "transcode", layout], input=document, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode or done.stderr:
        failures.append(f"transcode {layout}: exit {done.returncode}: {done.stderr.decode()[:200]}")
    return done.stdout


def check(what, document):
    check_pftrace(f"{what} pftrace", document)
    check_stages(f"{what} pftrace-stages", document)
    check_perfetto(f"{what} perfetto", document)
    check_xplane(f"{what} xplane", document)


def check_refusals():
    """What is no trace: one line and exit 2; what is cut anywhere, too."""
    document = DRAWN.encode()
    for n in range(0, len(document) - 1, 97):
        done = subprocess.run([FIXTURES, "transcode", "perfetto"], input=document[:n], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        expect(f"cut at {n}", (done.returncode, done.stderr.count(b"\n"), done.stdout), (2, 1, b""))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.json.gz")
        with open(path, "wb") as f:
            f.write(gzip.compress(document)[:-20])
        done = subprocess.run([FIXTURES, "transcode", "pftrace", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        expect("cut gzip", (done.returncode, done.stdout), (2, b""))


def main():
    skipped = 0
    check("drawn", DRAWN.encode())
    check_refusals()
    for scenario in SCENARIOS:
        argv = [FIXTURES, scenario, "--steps", "1", "--memory"]
        document = subprocess.run(argv, stdout=subprocess.PIPE, check=True).stdout
        check(scenario, document)
        written = subprocess.run(argv + ["--layout", "perfetto", "--gzip"], stdout=subprocess.PIPE, check=True).stdout
        expect(f"{scenario} --layout", gzip.decompress(written) == transcode("perfetto", document), True)
    folder = os.path.join(SHARED, "traces")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for name in names:
        if name.split(".json")[0] in REAL or ALL and ".json" in name:
            with (gzip.open if name.endswith(".gz") else open)(os.path.join(folder, name), "rb") as f:
                check(name, f.read())
        else:
            skipped += ".json" in name
    for line in failures[:40]:
        print("FAIL", line)
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if failures else 0


sys.exit(main())
