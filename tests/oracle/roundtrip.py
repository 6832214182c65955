#!/usr/bin/env python3
"""`traceq cut` and `merge` from format to format and back: each event, read by Python's json alone, is what it was but
for what docs/formats.md declares, Perfetto's files keep the rules of its protos (judging/perfetto_rules.py), and every
analysis says the same of each.  CHECK_ALL=1: all real traces and samples, all commands."""
import collections
import decimal
import functools
import gzip
import json
import os
import subprocess
import sys
import tempfile

from judging.perfetto_rules import Rules
from judging.reading import ns

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
ALL = os.environ.get("CHECK_ALL")
REAL = ["hta_alexnet", "tl_h100_bert", "hta_event_sync_multi", "hta_2021_tiny", "tl_triton"]
SAMPLES = ["xplane/jax_conv_08.xplane.pb"]
MADE = [("tiny", []), ("comm-bound", ["--steps", "2", "--memory"]), ("multi-gpu", ["--steps", "2"])]
LAYOUTS = ["pftrace", "perfetto", "pftrace-stages"]
FEW = ["top -n 0", "critical -n 0", "launches -n 0", "memory -n 0", "info"]
COMMANDS = ["top -n 0", "top --by op -n 0", "top --by shape -n 0", "kernels -n 0", "idle -n 0", "steps", "comms -n 0",
            "critical -n 0", "launches -n 0", "copies -n 0", "stacks -n 0", "memory -n 0", "summary", "stages",
            "roofline", "timeline --slices 20", "diagnose", "info", "check"]
# (command, table, columns, why)
OF_THE_FILE = [
    ("info", "trace", "*", "how the file is spelled, and by whom"),
    ("info", "categories metadata", "*", "names of processes and threads are no events of Perfetto's"),
    ("info", "recorded", "seen", "a counter of several series is one for each"),
    ("info", "recorded", "how", "how a profiler is told to record more"),
    ("info", "artifacts", "path", "where the file is"),
    ("info", "lanes", "name process", "a name that was said of a thread without events"),
    ("top", "totals", "events events_text", "the same"),
    ("idle", "longest", "next", "of work that begins at one time the first in the file"),
    ("check", "health verdict", "*", "signs of damage are those of the format"),
    ("diagnose", "findings", "finding", "how a profiler is told to record more"),
]
# What is sorted by a figure that rows share stands in the order of the file: (command, table).
TIED = [("info", "lanes"), ("timeline", "queues"), ("idle", "longest"), ("launches", "outliers"), ("roofline", "*"), ("stacks", "stacks")]

# Figures of work that begins at one time on several streams, which go by the order of the file.
AT_ONCE = [("rocprofv3/908_results.json.gz as Perfetto's", "roofline")]

passed, failures = 0, []


def expect(what, ok, told=""):
    global passed
    passed += bool(ok)
    if not ok:
        failures.append(f"{what}: {str(told)[:400]}")


def run(args, data=None):
    return subprocess.run([TRACEQ] + args, capture_output=True, input=data)


def cut(what, path, out, *more):
    done = run(["cut", path, "-o", out, "-q", *more])
    expect(f"{what}: cut", done.returncode == 0, done.stderr.decode())
    return done.returncode == 0


def read(path):
    raw = open(path, "rb").read()
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    d = json.loads(raw.decode("utf-8", "surrogateescape"), parse_float=decimal.Decimal, strict=False)
    return {"traceEvents": d} if isinstance(d, list) else d


# ---- events ----

def plain(v):
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    if isinstance(v, list):
        return [plain(x) for x in v]
    if isinstance(v, (decimal.Decimal, float)):
        return "NaN" if v != v else int(v) if abs(v) < 1 << 53 and v == int(v) else float(v)
    return v


def place(v):
    """Decimal texts are numbers."""
    return int(v) if isinstance(v, str) and v.lstrip("-").isdigit() and str(int(v)) == v else v


def number(v):
    """Of an id; a word has another that is its own."""
    try:
        return int(str(v), 16 if str(v).startswith("0x") else 10)
    except ValueError:
        return "a word"


NAMES = {"process_name": "name", "process_labels": "labels", "process_sort_index": "sort_index", "thread_name": "name",
         "thread_sort_index": "sort_index"}
PHASES = {"S": "b", "F": "e", "T": "n", "p": "n", "I": "i"}


def counters(e):
    for key, value in (e.get("args") or {}).items():
        if isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool):
            name = e["name"] + (f" {e['id']}" if e.get("id") else "")
            yield {"ph": "C", "cat": e.get("cat"), "name": name, "pid": place(e.get("pid")), "ts": ns(e["ts"]),
                   "args": {key: float(value)}}


def joined(events):
    """Begins and ends as slices, by thread and time; one without an end lasts to the last end of its thread."""
    opened, out, ends = collections.defaultdict(list), [], collections.defaultdict(int)
    timed = [e for e in events if e.get("ph") in ("X", "B", "E") and "ts" in e]
    for e in sorted(timed, key=lambda e: ns(e["ts"])):
        lane = str(e.get("pid")), str(e.get("tid"))
        end = ns(e["ts"]) + max(0, ns(e.get("dur", 0)) if e["ph"] == "X" else 0)
        ends[lane] = max(ends[lane], end)
        if e["ph"] == "B":
            opened[lane].append(dict(e))
        elif e["ph"] == "E" and opened[lane]:
            b = opened[lane].pop()
            out.append(b | {"ph": "X", "dur": (decimal.Decimal(e["ts"]) - decimal.Decimal(b["ts"]))})
    for lane, left in opened.items():
        for b in left:
            out.append(b | {"ph": "X", "dur": decimal.Decimal(ends[lane]) / 1000 - decimal.Decimal(b["ts"])})
    return [e for e in events if e.get("ph") not in ("B", "E")] + out


def normal(document):
    """What is to be found again of a document: a counter of its events, and its members."""
    names, found = {}, collections.Counter()
    for e in joined(document["traceEvents"]):
        ph = PHASES.get(e.get("ph"), e.get("ph"))
        if ph == "M":
            if e.get("name") in NAMES and NAMES[e["name"]] in (e.get("args") or {}):
                where = place(e.get("pid", "")), place(e.get("tid", "")) if "thread" in e["name"] else None
                names[where, e["name"]] = e["args"][NAMES[e["name"]]]
            continue
        if not ph or "ts" not in e:
            continue
        if ph == "C":
            found.update(json.dumps(c, sort_keys=True) for c in counters(e))
            continue
        row = {"ph": ph, "cat": e.get("cat"), "name": e.get("name"), "pid": place(e.get("pid", "")),
               "tid": place(e.get("tid", "")), "ts": ns(e["ts"]), "args": plain(e.get("args") or {})}
        if ph == "X":
            row["dur"] = max(0, ns(e.get("dur", 0)))
            row["args"].pop("finished", None)
        elif ph == "i":
            row["s"] = e.get("s")
        else:
            row |= {"id": number(e.get("id")), "bp": e.get("bp")}
        found[json.dumps(row, sort_keys=True)] += 1
    members = {k: plain(v) for k, v in document.items() if k not in ("traceEvents", "traceq_cut")}
    return found, {k: v for k, v in names.items() if v != ""}, members


def without_words(found):
    """Ids of words are numbers when they are read again."""
    out = collections.Counter()
    for text, n in found.items():
        row = json.loads(text)
        if "id" in row:
            row["id"] = "an id"
        out[json.dumps(row, sort_keys=True)] += n
    return out


def check_events(what, path, again):
    (want, names, members), (got, names_got, members_got) = normal(read(path)), normal(read(again))
    if any('"id": "a word"' in row for row in want):
        want, got = without_words(want), without_words(got)
    expect(f"{what}: events", want == got, f"{sum((want - got).values())} missing, {sum((got - want).values())} over: "
           f"{list(want - got)[:1]} {list(got - want)[:1]}")
    odd = {k: (v, names_got.get(k)) for k, v in names.items() if names_got.get(k) != v and v != k[0][1]}
    expect(f"{what}: names", not odd, list(odd.items())[:3])
    expect(f"{what}: members", members == members_got,
           [(k, members.get(k), members_got.get(k)) for k in members if members.get(k) != members_got.get(k)])


def check_rules(what, path):
    """What the file says by those rules."""
    rules = Rules(open(path, "rb").read())
    expect(f"{what}: Perfetto's rules", not rules.odd, list(rules.odd.items())[:3])
    expect(f"{what}: one sequence", rules.sequences == {1}, rules.sequences)
    return rules


# ---- figures ----

@functools.lru_cache(maxsize=64)
def figures(path, command, _):
    """_: when the file was written."""
    done = run(command.split() + ["--format", "json", "-q", path])
    if not done.stdout:
        return {"error": [{"text": done.stderr.decode().split(": ", 2)[-1].splitlines()[:1]}]}
    return {t["id"]: (t.get("rows") or []) + (t.get("footer") or []) for t in json.loads(done.stdout)["tables"]}


def of_the_file(command, table, column):
    return any(c == command and table in t.split() and (k == "*" or column in k.split()) for c, t, k, _ in OF_THE_FILE)


def same(x, y):
    if isinstance(x, float) or isinstance(y, float):
        return x is not None and y is not None and abs(x - y) <= 1e-9 * max(abs(x), abs(y))
    return x == y


def check_figures(what, a, b):
    for command in COMMANDS if ALL else FEW:
        word = command.split()[0]
        x, y = (figures(path, command, os.stat(path).st_mtime_ns) for path in (a, b))
        for table in sorted(set(x) | set(y)):
            if of_the_file(word, table, "every") or (what, word) in AT_ONCE:
                continue
            r, s = x.get(table, []), y.get(table, [])
            if any(c == word and t in (table, "*") for c, t in TIED):
                r, s = (sorted(v, key=lambda row: json.dumps(row, sort_keys=True)) for v in (r, s))
            odd = [(k, p[k], q.get(k)) for p, q in zip(r, s) for k in p
                   if not same(p[k], q.get(k)) and not of_the_file(word, table, k)]
            expect(f"{what}: {command} {table}", len(r) == len(s) and not odd, f"{len(r)} rows, {len(s)}; {odd[:2]}")


# ---- traces ----

def check_trace(what, path, folder):
    """JSON, Perfetto, JSON, Perfetto."""
    files = [path] + [os.path.join(folder, f"{i}.{s}") for i, s in enumerate(("pftrace", "json", "pftrace"))]
    if not all(cut(what, a, b) for a, b in zip(files, files[1:])):
        return
    rules = check_rules(what, files[1])
    check_events(what, path, files[2])
    check_figures(f"{what} as Perfetto's", path, files[1])
    check_figures(f"{what} and back", path, files[2])
    packets = [len(r.types) for r in (rules, Rules(open(files[3], "rb").read()))]
    expect(f"{what}: as many tracks again", packets[0] == packets[1], packets)


def check_other(what, path, folder):
    """Another format to JSON and to Perfetto."""
    text, perfetto = os.path.join(folder, "other.json"), os.path.join(folder, "other.pftrace")
    if cut(what, path, text) and cut(what, path, perfetto):
        check_rules(what, perfetto)
        check_figures(f"{what} as JSON", path, text)
        check_figures(f"{what} as Perfetto's", path, perfetto)


DRAWN = r"""{"traceEvents": [
 {"ph":"M","name":"process_name","pid":7,"tid":0,"args":{"name":"p\"\u00e9"}},
 {"ph":"M","name":"process_sort_index","pid":7,"tid":0,"args":{"sort_index":-5}},
 {"ph":"M","name":"process_labels","pid":7,"tid":0,"args":{"labels":"CPU"}},
 {"ph":"M","name":"thread_name","pid":7,"tid":9,"args":{"name":"main"}},
 {"ph":"M","name":"thread_name","pid":7,"tid":99,"args":{"name":"idle one"}},
 {"ph":"M","name":"thread_sort_index","pid":7,"tid":9,"args":{"sort_index":9}},
 {"ph":"M","name":"thread_name","pid":7,"tid":"a word","args":{"name":"named"}},
 {"ph":"X","cat":"cpu_op","name":"a","pid":7,"tid":9,"ts":1.0005,"dur":10,"args":{"x":[[1,[]],{"y":null}],"z":0.30000000000000004,
  "e":{},"l":[],"n":null,"w":"null","nan":NaN,"inf":-Infinity,"t":true,"big":18446744073709551615,"min":-9223372036854775808,
  "k\"\n\u00e9":"v\\\t\u0001","":"no key"}},
 {"ph":"X","cat":"cpu_op","name":"b crosses a","pid":7,"tid":9,"ts":5,"dur":10},
 {"ph":"X","cat":"cpu_op","name":"c crosses b","pid":7,"tid":9,"ts":6,"dur":12,"args":{}},
 {"ph":"X","cat":"cpu_op","name":"in c","pid":7,"tid":9,"ts":16,"dur":1},
 {"ph":"X","cat":"cpu_op","name":"moment","pid":7,"tid":9,"ts":18,"dur":0},
 {"ph":"X","cat":"cpu_op","name":"same","pid":7,"tid":9,"ts":18,"dur":0},
 {"ph":"X","cat":"cpu_op","name":"twin","pid":7,"tid":9,"ts":19,"dur":1},
 {"ph":"X","cat":"cpu_op","name":"twin","pid":7,"tid":9,"ts":19,"dur":1},
 {"ph":"X","name":"no category","pid":7,"tid":123456789012345,"ts":18,"dur":2},
 {"ph":"X","cat":"cpu_op","pid":-3,"tid":"a word","ts":18,"dur":2},
 {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":9,"ts":20,"dur":1,"args":{"correlation":12}},
 {"ph":"s","cat":"ac2g","name":"ac2g","id":12,"pid":7,"tid":9,"ts":20},
 {"ph":"s","cat":"fwdbwd","name":"fwdbwd","id":12,"pid":7,"tid":9,"ts":18},
 {"ph":"f","cat":"fwdbwd","name":"fwdbwd","id":12,"pid":7,"tid":9,"ts":20,"bp":"e"},
 {"ph":"f","cat":"fwdbwd","name":"no beginning","id":99,"pid":7,"tid":9,"ts":20,"bp":"e"},
 {"ph":"s","cat":"fwdbwd","name":"no end, no slice","id":"0x1f","pid":7,"tid":9,"ts":400},
 {"ph":"t","cat":"fwdbwd","name":"step","id":13,"pid":7,"tid":9,"ts":20},
 {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":"stream 3","ts":22,"dur":3,"args":{"correlation":12,"device":0,"stream":3}},
 {"ph":"f","cat":"ac2g","name":"ac2g","id":12,"pid":0,"tid":"stream 3","ts":22,"bp":"e"},
 {"ph":"X","cat":"Trace","name":"PyTorch Profiler (0)","pid":"Spans","tid":"PyTorch Profiler","ts":0.5,"dur":60},
 {"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":7,"tid":9,"ts":2,"args":{"Bytes":-5,"Device Type":1,"Device Id":0}},
 {"ph":"i","s":"g","name":"Record Window End","pid":"","tid":"","ts":90},
 {"ph":"i","name":"no scope","pid":7,"tid":9,"ts":3},
 {"ph":"C","cat":"nvml","name":"power (W)","pid":0,"ts":3,"args":{"":71.25}},
 {"ph":"C","name":"queue","pid":0,"tid":0,"ts":4,"args":{"a":72,"b":3,"c":"none"}},
 {"ph":"C","name":"queue","pid":0,"tid":0,"ts":4,"id":5,"args":{"a":-9007199254740993}},
 {"ph":"b","cat":"x","id":7,"name":"long","pid":7,"tid":9,"ts":3,"args":{"from":1}},
 {"ph":"n","cat":"x","id":7,"name":"long","pid":7,"tid":9,"ts":4},
 {"ph":"e","cat":"x","id":7,"name":"long","pid":7,"tid":9,"ts":19},
 {"ph":"S","cat":"x","id":"8","name":"old","pid":7,"tid":9,"ts":3},
 {"ph":"F","cat":"x","id":"8","name":"old","pid":7,"tid":9,"ts":5},
 {"ph":"E","pid":7,"tid":10,"ts":70},
 {"ph":"B","cat":"cpu_op","name":"outer","pid":7,"tid":10,"ts":50,"args":{"q":1}},
 {"ph":"B","cat":"cpu_op","name":"inner","pid":7,"tid":10,"ts":55},
 {"ph":"E","pid":7,"tid":10,"ts":60},
 {"ph":"E","pid":7,"tid":10,"ts":71},
 {"ph":"B","cat":"cpu_op","name":"never ends","pid":7,"tid":11,"ts":50},
 {"ph":"X","cat":"cpu_op","name":"after it","pid":7,"tid":11,"ts":51,"dur":4},
 {"ph":"R","cat":"blink","name":"a mark","pid":7,"tid":9,"ts":8},
 {"ph":"N","cat":"obj","name":"made","id":3,"pid":7,"tid":9,"ts":8},
 {"ph":"X","cat":"cpu_op","name":"no time","pid":7,"tid":9},
 {"cat":"cpu_op","name":"no phase","pid":7,"tid":9,"ts":4}
], "baseTimeNanoseconds": 1700000000000000000, "deviceProperties": [{"id": 0}], "rank": "r\n\"", "n": 1.5, "k": null}"""


def check_drawn(folder):
    path = os.path.join(folder, "drawn.json")
    open(path, "w").write(DRAWN)
    check_trace("drawn", path, folder)


EARLY = """{"traceEvents": [
 {"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":-5.5,"dur":2},
 {"ph":"X","cat":"cpu_op","name":"b","pid":1,"tid":1,"ts":-2,"dur":1},
 {"ph":"i","name":"c","pid":1,"tid":1,"ts":0}
], "baseTimeNanoseconds": 1700000000000000000}"""


def check_early(folder):
    """Times before 0 begin there, and the calendar's stay."""
    path, perfetto, again = (os.path.join(folder, "early" + s) for s in (".json", ".pftrace", "2.json"))
    open(path, "w").write(EARLY)
    if not (cut("early", path, perfetto) and cut("early", perfetto, again)):
        return
    check_rules("early", perfetto)
    seen = []
    for d in map(read, (path, again)):
        seen.append([(e["name"], d["baseTimeNanoseconds"] + ns(e["ts"]), ns(e.get("dur", 0))) for e in d["traceEvents"]])
    expect("early: times of the calendar", seen[0] == seen[1], seen)
    check_figures("early", path, perfetto)


def check_merged(folder):
    """Two ranks in one file, as JSON and as Perfetto's, which is read again."""
    paths = [os.path.join(folder, f"rank{i}.json") for i in range(2)]
    for i, path in enumerate(paths):
        with open(path, "wb") as f:
            subprocess.run([FIXTURES, "multi-rank", "--steps", "2", "--world", "2", "--rank", str(i)], stdout=f, check=True)
    text, perfetto, again = (os.path.join(folder, "merged" + s) for s in (".json", ".pftrace", "2.json"))
    for out in (text, perfetto):
        done = run(["merge", *paths, "-o", out, "-q"])
        expect("merge", done.returncode == 0, done.stderr.decode())
    check_rules("merged", perfetto)
    if cut("merged", perfetto, again):
        check_events("merged", text, again)


def check_annotated(path, folder):
    """traceq's own marks are no events of a run, in either format, and are passed over when they are read."""
    out, again = os.path.join(folder, "annotated.pftrace"), os.path.join(folder, "annotated.json")
    if cut("annotated", path, out, "--annotate", "critical,idle,steps") and cut("annotated", out, again):
        check_rules("annotated", out)
        check_figures("annotated", path, out)
        found = {e.get("cat") for e in read(again)["traceEvents"]}
        expect("annotated: no marks", "traceq" not in found, found)


def check_made(folder):
    for scenario, options in MADE:
        path = os.path.join(folder, scenario + ".json")
        with open(path, "wb") as f:
            subprocess.run([FIXTURES, scenario, *options], stdout=f, check=True)
        check_trace(scenario, path, folder)
        if scenario == "tiny":
            check_annotated(path, folder)
        for layout in LAYOUTS if ALL or scenario != "comm-bound" else ():
            other = os.path.join(folder, layout)
            with open(path, "rb") as f, open(other, "wb") as g:
                subprocess.run([FIXTURES, "transcode", layout], stdin=f, stdout=g, check=True)
            check_other(f"{scenario} in {layout}", other, folder)


def main():
    skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        check_drawn(folder)
        check_early(folder)
        check_merged(folder)
        check_made(folder)
        real = os.path.join(SHARED, "traces")
        for name in sorted(os.listdir(real)) if os.path.isdir(real) else []:
            if ".json" in name and (ALL or name.split(".json")[0] in REAL):
                check_trace(name, os.path.join(real, name), folder)
            else:
                skipped += ".json" in name
        samples = os.path.join(SHARED, "samples")
        every = [f"{d}/{n}" for d in ("nsys", "rocprofv3", "xplane") if os.path.isdir(os.path.join(samples, d))
                 for n in sorted(os.listdir(os.path.join(samples, d)))]
        for name in every:
            if ALL or name in SAMPLES:
                check_other(name, os.path.join(samples, name), folder)
            else:
                skipped += 1
    for f in failures[:40]:
        print("FAIL", f)
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    return bool(failures)


sys.exit(main())
