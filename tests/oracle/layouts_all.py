#!/usr/bin/env python3
"""The same run gives the same answers in every layout: all commands over scenarios and real traces,
as JSON text and as what `fixtures transcode` makes of it.

What a format has no place for is taken from the text first (LACKS, with the reason), and then nothing
may differ but what is about the file itself (OF_THE_FILE).  Layouts that this traceq refuses are
skipped.  CHECK_ALL=1: all scenarios, commands and real traces.  LAYOUTS: of these alone."""
import collections
import concurrent.futures
import decimal
import functools
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

from judging import ascend_lacks, nsys_lacks, rocpd_lacks

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
ALL = os.environ.get("CHECK_ALL")

COMMANDS = [["top", "-n", "0"], ["summary"], ["steps"], ["kernels", "-n", "0"], ["roofline"], ["idle"], ["launches"],
            ["critical"], ["memory"], ["stages"], ["stacks"], ["timeline"], ["copies"], ["comms", "-n", "0"],
            ["diagnose"], ["info"], ["check"]]
SLICE = ["top", "steps", "launches", "critical", "comms", "info"]
SCENARIOS = ["tiny", "healthy", "dataloader-bound", "copy-bound", "launch-bound", "comm-bound", "expert-dispatch",
             "leak", "cpu-only", "gpu-only", "multi-rank", "graphs", "graph-serving", "rocm", "xpu", "mtia",
             "python-stacks", "inference", "multi-stream", "multi-gpu", "serving-full-queue", "gpu-only-idle",
             "runs-ahead", "one-gap", "gloo-cpu", "second-idle", "mixed"]
SLICE_OF_SCENARIOS = ["tiny", "comm-bound", "multi-gpu"]
# Other spellings of JSON need no reader of their own: of these nothing is taken away.
JSON_LAYOUTS = ["kineto2026", "compact", "line", "orjson", "indent4", "crlf"]

# (layouts, what is taken from the text, why: docs/formats.md, "What each format cannot tell")
LACKS = [
    ("pftrace pftrace-stages", "instants", "its exporter writes rows alone: no [memory], no window's end"),
    ("pftrace pftrace-stages", "span", "it passes over rows of category Trace"),
    ("pftrace pftrace-stages", "document", "nothing of what is around the events: devices, versions, rank, world"),
    ("pftrace pftrace-stages", "base", "times are ns since 1970: the base is in them"),
    ("pftrace pftrace-stages", "labels", "no labels and sort indexes of processes and threads"),
    ("pftrace pftrace-stages", "device-names", "processes of devices are GPU N, threads stream N"),
    ("pftrace pftrace-stages", "words", "pids and tids are numbers of 31 bits"),
    ("pftrace-stages", "crossing", "rows of a device that are no work and cross are cut where the next begins"),
    ("pftrace-stages", "stages", "work of devices is a dozen numbers and its collective: no names of copies, no external ids"),
    ("pftrace-stages", "overlaps", "work of a stream that overlaps is cut where the next begins"),
    ("pftrace-stages", "zero", "its clock snapshot says that the base is 0"),
    ("pftrace-stages", "flows", "calls lead to stages by ids, not by flows"),
    ("pftrace", "grouped", "rows are in the order of their groups"),
    ("pftrace", "flows", "flows are numbers of calls and work, and of no other rows"),
    ("perfetto", "scope", "an instant is on its track"),
    ("ascend-db", "ascend base", "sets are tasks as kernels are, no sizes of launches: judging/ascend_lacks.py"),
    ("rocpd", "rocpd", "operators are ROCTx ranges, sets are kernels: judging/rocpd_lacks.py"),
    ("nsys", "nsys", "operators are NVTX ranges: names, sequence numbers, sizes; judging/nsys_lacks.py"),
    ("xplane", "span document flows instants labels", "planes of devices and threads of one process, with rows alone"),
    ("nsys", "nsys", "operators are NVTX ranges: names, sequence numbers, sizes; judging/nsys_lacks.py"),
]

# Formats that tell so much less that only these tables are the same: (layout, command, table, columns).
ONLY = [
    ("xplane", "top", "devices", "device busy_ns idle_ns span_ns sum_ns kernel_ns memcpy_ns memset_ns activities streams"),
    ("xplane", "kernels", "devices", "device kernels kernel_sum_ns"),
    ("xplane", "kernels", "kernels", "device_sum_ns calls mean_ns grid block registers name"),
    ("xplane", "launches", "launchers", "name calls device_events call_ns delay_mean_ns device_sum_ns"),
]

# (layouts or *, command or *, table or *, column or *, why)
OF_THE_FILE = [
    ("*", "info", "trace", "form container file_bytes text_bytes compression", "how the file is spelled"),
    ("pftrace pftrace-stages perfetto", "info", "trace", "producer", "told by other signs"),
    ("ascend-db", "info", "trace", "producer", "told by its tables"),
    ("ascend-db", "check", "verdict", "*", "an end of the recording is Kineto's"),
    ("ascend-db", "check", "health", "verdict count", "the same"),
    ("rocpd", "info", "trace", "producer software host_name events form", "what is counted beside events"),
    ("rocpd", "top", "totals", "events events_text", "the same"),
    ("rocpd", "info", "metadata", "*", "what the file says of itself"),
    ("rocpd", "info", "lanes", "*", "processes come without an event, by which lanes stand in their order"),
    ("rocpd", "info", "categories", "*", "events are in tables, some without a category of their own"),
    ("rocpd", "info", "recorded", "seen how", "the same, and each profiler has options of its own"),
    ("rocpd", "top", "totals", "gpu", "a device without a name is called by its target"),
    ("rocpd", "info", "gpus", "name", "the same"),
    ("rocpd", "check", "verdict", "*", "an end of the recording is Kineto's"),
    ("rocpd", "check", "health", "verdict count first_at_ns", "the same; events come table by table"),
    ("rocpd", "timeline", "queues", "*", "streams come table by table"),
    ("nsys", "*", "totals", "events events_text", "names of processes and threads are no events"),
    ("nsys", "info", "trace", "producer software events schema_version", "the same; what the export says of itself"),
    ("nsys", "info", "categories metadata", "*", "the same"),
    ("nsys", "info", "recorded", "how", "each profiler has options of its own"),
    ("pftrace pftrace-stages perfetto", "info", "recorded", "how", "the same"),
    ("nsys", "check", "health", "count first_at_ns", "the same; which of them is first in the file"),
    ("*", "check", "health", "offset_bytes line", "places in the file"),
    ("pftrace pftrace-stages perfetto", "check", "verdict", "*", "signs of damage are those of the format"),
    ("pftrace pftrace-stages perfetto", "check", "health", "verdict count share_ratio what", "the same"),
    ("pftrace pftrace-stages perfetto", "top", "totals", "events events_text", "names and flows are no events there"),
    ("pftrace pftrace-stages perfetto", "info", "trace", "events", "the same"),
    ("pftrace pftrace-stages perfetto", "info", "categories", "*", "the same"),
    ("pftrace", "info", "recorded", "seen", "the same"),
    ("perfetto", "info", "lanes", "*", "words as pids and tids are numbers, by which rows are sorted"),
    ("compact orjson", "roofline", "ops", "dims types", "lists of an argument are shown as they are spelled"),
    ("compact orjson", "diagnose", "findings", "evidence", "the same"),
]

# (layout, scenarios, commands, why): without categories an op is told from an annotation by its name and arguments.
NOT_TOLD = [
    ("pftrace", "expert-dispatch graphs graph-serving inference serving-full-queue second-idle mixed",
     "top summary steps roofline idle critical stages diagnose", "ops without a namespace or arguments of ops"),
    ("ascend-db", "tl_norm_layer", "stacks", "calls of CANN and functions of one time stand in two tables: which is around"),
    ("xplane", "mtia", "top kernels launches", "work of MTIA is of categories that XLA's profiler does not have"),
]

passed = collections.Counter()
skipped = collections.Counter()
failures = []


def lacks(layout):
    return {word for layouts, words, _ in LACKS if layout in layouts.split() for word in words.split()}


@functools.lru_cache(None)
def of_the_file(layout, command, table, column):
    only = [row for row in ONLY if row[0] == layout]
    if only and not any(of == command and where == table and (columns == "*" or column in columns.split())
                        for _, of, where, columns in only):
        return True
    return any((layouts == "*" or layout in layouts.split()) and of in ("*", command) and (where == "*" or table in where.split()) and
               (columns == "*" or column in columns.split()) for layouts, of, where, columns, _ in OF_THE_FILE)


def run(argv, document=None, cwd=None):
    return subprocess.run(argv, input=document, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd)


ON_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset", "cuda_sync", "gpu_user_annotation", "Kernel", "Memcpy", "Memset")


GROUPS = ["kernel", "Kernel", "gpu_memcpy", "Memcpy", "gpu_memset", "Memset", "cuda_runtime", "Runtime", "cuda_driver",
          "overhead", "cuda_sync", "gpu_user_annotation"]


def keeps(event, gone):
    ph, name = event.get("ph"), event.get("name", "")
    if ph == "M" and "labels" in gone and not name.endswith("_name"):
        return False
    if ph in ("s", "t", "f") and "flows" in gone or ph in ("i", "I", "C") and "instants" in gone:
        return False
    return not (event.get("cat") == "Trace" and "span" in gone)


def is_track_row(event, gone):
    return event.get("ph") == "X" and not ("stages" in gone and event.get("cat") in STAGES)


def rename(events, every, gone):
    """The names that PyTorch's exporter gives lanes, of which it knows those that have rows: a process is
    called after its first."""
    names = {(e["name"], str(e["pid"]), str(e["tid"]) if e["name"] == "thread_name" else ""): e["args"].get("name")
             for e in every if e.get("ph") == "M" and e["name"].endswith("_name") and e.get("args")}
    device, order = {}, {}
    for e in every:
        if e.get("ph") != "M" or e["name"].startswith("thread_"):
            order.setdefault((str(e["pid"]), str(e["tid"])), (e["pid"], e["tid"]))
    for e in events:
        if is_track_row(e, gone):
            lane = str(e["pid"]), str(e["tid"])
            device[lane] = device.get(lane, False) or e.get("cat") in ON_DEVICE
    made, processes = [], set()
    for lane, (pid, tid) in order.items():
        if lane not in device:
            continue
        if lane[0] not in processes:
            processes.add(lane[0])
            name = f"GPU {pid}" if device[lane] else names.get(("process_name", lane[0], "")) or str(pid)
            made.append({"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": name}})
        name = names.get(("thread_name", *lane)) or str(tid)
        if device[lane]:
            name = f"stream {tid}" if isinstance(number(tid), int) else tid
        made.append({"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": name}})
    return [e for e in events if e.get("ph") != "M"] + made


STAGES = {"kernel": None, "Kernel": None, "gpu_memcpy": "Memcpy", "Memcpy": "Memcpy", "gpu_memset": "Memset",
          "Memset": "Memset", "gpu_user_annotation": None}
STAGE_ARGS = ("correlation", "priority", "queued", "channel", "channel_type", "graph id", "graph node id", "bytes", "value")
COLLECTIVE_ARGS = ("Collective name", "In msg nelems", "Out msg nelems", "Group size", "dtype", "In split size",
                   "Out split size", "Process Group Name", "Process Group Description", "Process Group Ranks", "Rank",
                   "Src Rank", "Dst Rank", "Seq")
LAUNCH_ARGS = ("grid", "block", "registers per thread", "shared memory")


def cut_stages(events):
    """What a render stage says of work: where, and the numbers that are not 0; a launch where there is a grid."""
    for e in events:
        if e.get("ph") == "X" and e.get("cat") in STAGES:
            args = e.get("args") or {}
            e["name"] = STAGES[e["cat"]] or e["name"]
            launched = args.get("grid") and args["grid"][0]
            where = {"device": number(e["pid"]), "context": 0, "stream": number(e["tid"])}
            if e["cat"] == "gpu_user_annotation":  # one without an id is none of torch's; the exporter's are
                where["External id"] = 0
            e["args"] = {k: args.get(k, v) for k, v in where.items()} | {
                k: args[k] for k in STAGE_ARGS + (LAUNCH_ARGS if launched else ()) if args.get(k)} | {
                    k: args[k] for k in COLLECTIVE_ARGS if k in args}


def cut_overlaps(events):
    lanes = collections.defaultdict(list)
    for e in events:
        if e.get("ph") == "X" and e.get("cat") in STAGES and e["cat"] != "gpu_user_annotation":
            lanes[str(e["pid"]), str(e["tid"])].append(e)
    for lane in lanes.values():
        lane.sort(key=lambda e: (e["ts"], -e["dur"]))
        for e, after in zip(lane, lane[1:]):
            e["dur"] = min(e["dur"], after["ts"] - e["ts"])


def cut_crossing(events):
    lanes = collections.defaultdict(list)
    for e in events:
        if e.get("ph") == "X" and e.get("cat") in ON_DEVICE and e["cat"] not in STAGES:
            lanes[str(e["pid"]), str(e["tid"])].append(e)
    for lane in lanes.values():
        lane.sort(key=lambda e: (e["ts"], -e["dur"]))
        for i, e in enumerate(lane):
            for before in lane[max(0, i - 50):i]:
                if e["ts"] < before["ts"] + before["dur"] < e["ts"] + e["dur"]:
                    before["dur"] = e["ts"] - before["ts"]


def number(word):
    try:
        return int(word) & 0x7fffffff
    except ValueError:
        return word


def reduce(document, layout):
    """The text without what a format has no place for."""
    gone = lacks(layout)
    d = json.loads(document, parse_float=decimal.Decimal, strict=False)
    top = {} if isinstance(d, list) else {k: v for k, v in d.items() if k != "traceEvents"}
    events = [e for e in (d if isinstance(d, list) else d["traceEvents"]) if keeps(e, gone)]
    if "nsys" in gone:
        top, events = nsys_lacks.reduce(top, events)
    if "ascend" in gone:
        top, events = ascend_lacks.reduce(top, events)
    if "rocpd" in gone:
        top, events = rocpd_lacks.reduce(top, events)
    if "device-names" in gone:
        events = rename(events, d if isinstance(d, list) else d["traceEvents"], gone)
    if "grouped" in gone:
        events.sort(key=lambda e: GROUPS.index(e["cat"]) if e.get("ph") == "X" and e.get("cat") in GROUPS else -1)
    if "stages" in gone:
        cut_stages(events)
        events.sort(key=lambda e: list(STAGES).index(e.get("cat")) if e.get("ph") == "X" and e.get("cat") in STAGES else -1)
    if "overlaps" in gone:
        cut_overlaps(events)
    if "crossing" in gone:
        cut_crossing(events)
    base = decimal.Decimal(top.get("baseTimeNanoseconds", 0) if "base" in gone else 0) / 1000
    for e in events:
        if "words" in gone:
            e["pid"], e["tid"] = number(e["pid"]), number(e["tid"])
        if "scope" in gone:
            e.pop("s", None)
        for key, more in (("ts", base), ("dur", 0)):
            if key in e:
                e[key] = f"@@{decimal.Decimal(e[key]) + more:f}@@"
    kept = {k: v for k, v in top.items() if not (k == "baseTimeNanoseconds" and "base" in gone) and
            ("document" not in gone or k == "baseTimeNanoseconds")}
    if "zero" in gone:
        kept["baseTimeNanoseconds"] = 0
    whole = kept | {"traceEvents": events}
    text = json.dumps(whole, default=lambda v: f"@@{v:f}@@")
    return re.sub(r'"@@(.*?)@@"', r"\1", text).encode()


def answer(command, path):
    """Of a file, or of files in a folder that the command names."""
    files, cwd = ([], path) if os.path.isdir(path) else ([path], None)
    done = run([TRACEQ, *command, *files, "--json", "-q"], cwd=cwd)
    if done.returncode not in (0, 1):
        return None, f"exit {done.returncode}: {done.stderr.decode()[:200].strip()}"
    return json.loads(done.stdout), None


# What answers call the same in the words of the profiler that recorded the trace.
WORDS = {"profile_memory=True, as JSON": "profile_memory=True", "nsys profile --cuda-memory-usage=true": "profile_memory=True",
         " of a device (profile_memory=True)": " of a device", "amd-smi metric": "nvidia-smi -q", "torch_npu.profiler.ProfilerActivity.NPU, and CANN": "ProfilerActivity.CUDA, and CUPTI",
         "NPU": "CUDA"}


def plain(value):
    for word, same_as in WORDS.items() if isinstance(value, str) else ():
        value = value.replace(word, same_as)
    return value


def cells(answers, layout, command):
    """(table, row, column) to value, without what is about the file."""
    found = {}
    for n, table in enumerate(answers["tables"]):
        for part in ("rows", "footer"):
            for i, row in enumerate(table[part]):
                for column, value in (row or {}).items():
                    if not of_the_file(layout, command, table["id"], column):
                        found[f"{n} {table['id']} {part} {i} {column}"] = plain(value)
    for note in answers.get("notes", []) if not any(row[0] == layout for row in ONLY) else []:
        if not of_the_file(layout, command, "note", note.get("id")):
            found[f"note {note.get('id')}"] = note.get("count")
    return found


def same(a, b):
    """Sums of reals depend on the order in which rows are met."""
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= 1e-12 * max(abs(a), abs(b))
    return a == b


def unordered(found):
    """Rows of each table in any order: which of equals comes first is that of the file."""
    rows = collections.defaultdict(list)
    for key, value in found.items():
        at = key.rsplit(" ", 2)
        rows[at[0] if len(at) == 3 else key, at[1] if len(at) == 3 else ""].append((at[-1], str(value)))
    return collections.Counter((table, tuple(sorted(cells))) for (table, _), cells in rows.items())


def compare(what, layout, command, text_path, path):
    want, why = answer(command, text_path)
    got, why_not = answer(command, path)
    if want is None or got is None:
        (failures.append if (want is None) != (got is None) else skipped.update)(
            [layout] if (want is None) == (got is None) else f"{what}: text {why or 'answers'}, layout {why_not or 'answers'}")
        return
    want, got = (cells(a, layout, command[0]) for a in (want, got))
    if not want and not got:
        return
    differ = [k for k in {**want, **got} if not same(want.get(k), got.get(k))]
    if not differ or layout == "nsys" and unordered(want) == unordered(got):
        passed[layout] += 1
        return
    some = "; ".join(f"{k}: {got.get(k)!r}, not {want.get(k)!r}" for k in differ[:4])
    failures.append(f"{what}: {len(differ)} of {len(want)} cells: {some}")


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)
    return path


def check(name, layout, document, folder, commands):
    base = os.path.join(folder, f"{name}-{layout}")
    made = run([FIXTURES, "transcode", layout], document)
    if made.returncode and b"of CUDA only" in made.stderr:
        skipped[layout] += 1
        return
    if made.returncode:
        failures.append(f"{name} {layout}: {made.stderr.decode().strip()}")
        return
    text, path = write(base + ".json", reduce(document, layout)), write(base + ".bin", made.stdout)
    for command in commands:
        if any(of == layout and name in names.split() and command[0] in words.split() for of, names, words, _ in NOT_TOLD):
            skipped[layout] += 1
        else:
            compare(f"{name} {layout} {command[0]}", layout, command, text, path)
    os.unlink(text)
    os.unlink(path)


def check_job(layout, folder):
    """Two runs of a job of four ranks: who waits for whom, and what changed."""
    text, made = (os.path.join(folder, layout, side) for side in ("text", "made"))
    for slow in ("1", "none"):
        os.makedirs(os.path.join(text, slow))
        os.makedirs(os.path.join(made, slow))
        for rank in range(4):
            argv = [FIXTURES, "multi-rank", "--world", "4", "--rank", str(rank), "--steps", "3", "--layers", "2",
                    "--slow-rank", slow]
            document = run(argv).stdout
            write(f"{text}/{slow}/rank{rank}", reduce(document, layout))
            write(f"{made}/{slow}/rank{rank}", run([FIXTURES, "transcode", layout], document).stdout)
    compare(f"job {layout} ranks", layout, ["ranks", "1"], text, made)
    compare(f"job {layout} diff", layout, ["diff", "none/rank0", "1/rank0"], text, made)


def check_json(name, layout, argv, folder, commands):
    text = write(os.path.join(folder, f"{name}-{layout}.json"), run(argv).stdout)
    path = write(os.path.join(folder, f"{name}-{layout}.bin"), run(argv + ["--layout", layout]).stdout)
    for command in commands:
        compare(f"{name} {layout} {command[0]}", layout, command, text, path)


def is_read(layout, folder):
    """A layout that this traceq has a reader for: it finds the kernels."""
    path = write(os.path.join(folder, f"probe-{layout}"), run([FIXTURES, "tiny", "--layout", layout]).stdout)
    found, _ = answer(["top"], path)
    return bool(found) and any(t["id"] == "devices" and t["rows"] for t in found["tables"])


def documents(scenarios):
    for scenario in scenarios:
        yield scenario, run([FIXTURES, scenario, "--steps", "2", "--memory"]).stdout
    folder = os.path.join(SHARED, "traces")
    for name in sorted(os.listdir(folder)) if ALL and os.path.isdir(folder) else []:
        if ".json" in name:
            with (gzip.open if name.endswith(".gz") else open)(os.path.join(folder, name), "rb") as f:
                yield name.split(".json")[0], f.read()


def main():
    scenarios = SCENARIOS if ALL else SLICE_OF_SCENARIOS
    commands = [c for c in COMMANDS if ALL or c[0] in SLICE]
    encoders = run([FIXTURES, "transcode"]).stderr.decode().split("layouts\n")[1].split("\n")
    encoders = [line.split()[0] for line in encoders if line]
    if os.environ.get("LAYOUTS"):
        encoders = os.environ["LAYOUTS"].split()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        readable = [layout for layout in encoders if is_read(layout, folder)]
        skipped.update(layout for layout in encoders if layout not in readable)
        jobs = [pool.submit(check, name, layout, document, folder, commands)
                for name, document in documents(scenarios) for layout in readable]
        jobs += [pool.submit(check_job, layout, folder) for layout in readable]
        jobs += [pool.submit(check_json, name, layout, [FIXTURES, name, "--steps", "2"], folder, commands)
                 for name in (scenarios if ALL else scenarios[:1]) for layout in JSON_LAYOUTS]
        for job in jobs:
            job.result()
    for line in failures[:60]:
        print("FAIL", line)
    print(f"{sum(passed.values())} passed, {len(failures)} failed, {sum(skipped.values())} skipped")
    return 1 if failures else 0


sys.exit(main())
