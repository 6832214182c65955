#!/usr/bin/env python3
"""Compares idle, launches, memory, stages and stacks with real traces, exactly.

Two oracles: the independent reference's figures in $SHARED/golden, and gaps, queues, memory and Python
functions worked out anew from the traces in $SHARED/traces, in the plainest way, in integer ns; what
devices waited for by judging/ledger.py.  Generated scenarios are compared with the generator's own answers; they need no folder.
"""
import collections
import decimal
import glob
import json
import os
import subprocess
import sys
import tempfile

from judging import ledger, traces
from judging.reading import events, ns

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ.get("FIXTURES", "build/release/fixtures")
SHARED = os.environ.get("SHARED", "../shared")
KERNEL_WAIT_NS = 30000
ORDER = {kind: i for i, kind in enumerate(ledger.WAITS)}
DEVICE_KINDS = {"kernel": "kernel", "gpu_memcpy": "memcpy", "gpu_memset": "memset", "memcpy": "memcpy",
                "memset": "memset"}
RUNTIME = {"cuda_runtime", "cuda_driver", "runtime", "hip_runtime", "xpu_runtime", "mtia_runtime",
           "privateuse1_runtime", "privateuse1_driver", "glow_runtime"}

checked = collections.Counter()
failures = []


def expect(trace, what, got, want):
    checked[trace] += 1
    if got != want:
        failures.append(f"{trace}: {what}: traceq {got!r}, expected {want!r}")


def expect_near(trace, what, got, want, step=decimal.Decimal("0.001")):
    checked[trace] += 1
    if (got is None) != (want is None) or (got is not None and
                                           abs(decimal.Decimal(got) - want) > step + abs(want) / 10**9):
        failures.append(f"{trace}: {what}: traceq {got!r}, expected {want!r}")


def traceq(command, path, *more):
    done = subprocess.run([TRACEQ, command, path, "--json", "-q", *more], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode != 0:
        failures.append(f"{path}: traceq {command}: exit {done.returncode}: {done.stderr.decode()}")
        return None
    tables = {}
    for table in json.loads(done.stdout, parse_float=decimal.Decimal)["tables"]:
        tables[table["id"]] = table["rows"]
    return tables


class Event:
    def __init__(self, e, cat):
        self.cat, self.name, self.args = cat, str(e.get("name", "")), e.get("args") or {}
        self.start = ns(e["ts"])
        self.dur = max(0, ns(e.get("dur") or 0))
        self.end = self.start + self.dur
        self.lane = (str(e.get("pid")), str(e.get("tid")))
        self.pid, self.tid = e.get("pid"), e.get("tid")


def number(value):
    text = str(value)
    if text.startswith("stream "):
        text = text[7:]
    return int(text)


class Trace:
    """Device work and calls of a trace, plainly."""

    def __init__(self, path):
        self.device, self.calls, self.memory, self.python = [], {}, [], []
        for e in events(path):
            if not isinstance(e, dict):
                continue
            cat = str(e.get("cat", "")).lower()
            if e.get("name") == "[memory]":
                self.memory.append(Event(e, cat))
            elif e.get("ph") != "X" or "ts" not in e:
                continue
            elif cat in DEVICE_KINDS:
                ev = Event(e, cat)
                if ev.start == 0:
                    continue
                ev.device = number(ev.args.get("device", e.get("pid")))
                ev.stream = number(ev.args.get("stream", e.get("tid")))
                self.device.append(ev)
            elif cat in RUNTIME:
                ev = Event(e, cat)
                cor = ev.args.get("correlation")
                if cor and (cor not in self.calls or ev.start < self.calls[cor].start):
                    self.calls[cor] = ev
            elif cat == "python_function":
                self.python.append(Event(e, cat))
        for ev in self.device:
            ev.call = self.calls.get(ev.args.get("correlation") or None)


def pieces(run, device, stream):
    """(gap, parts) of what of each gap lies in one stretch of the window."""
    window = ledger.union(run.steps.counted())
    for gap in run.gaps(device, stream):
        for _, _, parts in gap.in_each(window):
            yield gap, parts


def mostly(parts):
    return min(parts, key=lambda k: (-parts[k], ORDER[k]))


def check_waits(name, where, row, split):
    """All columns of a row of devices or streams, to the nanosecond."""
    total, most = collections.Counter(), collections.Counter()
    for _, parts in split:
        total.update(parts)
        most[mostly(parts)] += 1
    for kind, word in ledger.WAITS.items():
        expect(name, f"{where}: {word}", row[f"{word}_ns"], total[kind])
        expect(name, f"{where}: gaps of {word}", row[f"{word}_gaps"], most[kind])
    all_ns = sum(total.values())
    expect(name, f"{where}: gaps", row["gaps"], len(split))
    expect(name, f"{where}: longest", row["longest_ns"], max((sum(p.values()) for _, p in split), default=None))
    expect(name, f"{where}: idle", row["idle_ns"], all_ns - total["unrecorded"])


def check_hta(name, where, row, work):
    """HTA's classes are of whole gaps in the whole trace, from the first work to the last."""
    late = wait = other = 0
    reach = (work[0].start, max(w.end for w in work))
    for gap in ledger.gaps_between(work, reach):
        length = gap.end - gap.start
        if gap.is_late:
            late += length
        elif length < KERNEL_WAIT_NS:
            wait += length
        else:
            other += length
    got = tuple(row[f"hta_{k}_ns"] for k in ("host_wait", "kernel_wait", "other"))
    expect(name, f"{where}: HTA's classes", got, (late, wait, other))


def check_busy(name, where, row, run, work):
    window = ledger.union(run.steps.counted())
    expect(name, f"{where}: busy", row["busy_ns"], ledger.length(ledger.within(ledger.of(work), window)))
    expect(name, f"{where}: span", row["span_ns"], ledger.length(window) - row["unrecorded_ns"])
    expect(name, f"{where}: busy + idle", row["busy_ns"] + row["idle_ns"], row["span_ns"])


def check_idle(name, path):
    idle = traceq("idle", path, "-n", "0")
    if idle is None:
        return None
    run = ledger.Run(path)
    listed_ns = 0
    rows = idle.get("devices", []) + idle.get("streams", [])
    for row in rows:
        device, stream = str(row["device"]), None if row["stream"] is None else str(row["stream"])
        where = f"device {device} stream {stream}"
        split = list(pieces(run, device, stream))
        check_waits(name, where, row, split)
        if stream is None:  # the lists leave out what is mostly unrecorded
            listed_ns += sum(sum(p.values()) for _, p in split if mostly(p) != "unrecorded")
        check_busy(name, where, row, run, run.work_of(device, stream))
        check_hta(name, where, row, run.work_of(device, stream))
    listed = {(str(r["device"]), str(r["stream"])) for r in rows}
    there = {(w.device, w.stream) for w in run.work} | {(w.device, "None") for w in run.work}
    expect(name, "devices and streams", listed, there)
    for table, key in (("longest", "gap_ns"), ("causes", "idle_ns")):
        expect(name, f"sum of {table}", sum(r[key] for r in idle.get(table, [])), listed_ns)
    return idle


def check_queues(name, trace, launches):
    got = {(r["device"], r["stream"]): r for r in launches.get("queues", [])}
    for key in {(e.device, e.stream) for e in trace.device if e.call is not None}:
        first = {}
        for e in sorted((e for e in trace.device if (e.device, e.stream) == key), key=lambda e: e.start):
            if e.call is not None:
                first.setdefault(id(e.call), (e.call.start, e.start))
        entries = [x for x in first.values() if x[1] > x[0]]
        row = got.get(key, {})
        what = f"queue {key}"
        expect(name, f"{what} entries", row.get("entries"), len(entries))
        if not entries:
            continue
        changes = sorted([(t, 1) for t, _ in entries] + [(t, -1) for _, t in entries])
        depth = most = blocked = 0
        at = changes[0][0]
        for t, d in changes:
            blocked += t - at if depth >= 1024 else 0
            depth, at = depth + d, t
            most = max(most, depth)
        expect(name, f"{what} depth at the end", depth, 0)
        span = changes[-1][0] - changes[0][0]
        mean = decimal.Decimal(sum(b - a for a, b in entries)) / span
        if row.get("depth_mean") is not None:
            expect_near(name, f"{what} mean", row["depth_mean"], mean, decimal.Decimal("1e-9"))
            expect(name, f"{what} max", row["depth_max"], most)
            expect(name, f"{what} blocked", row["blocked_ns"], blocked)


def check_launches(name, gold, launches):
    want, total = gold["launch"], launches["totals"][0] if launches.get("totals") else {}
    for column, key in (("device_events", "device_activities"), ("unlinked", "unmatched"),
                        ("launches", "distinct_launch_correlations")):
        if total:
            expect(name, f"launch.{key}", total[column], want[key])
    if total:
        expect(name, "launch.matched", total["linked"] + total["graph"], want["matched"])
        expect(name, "launch.unmatched_us", total["unlinked_ns"], ns(want["unmatched_us"]))
    expect(name, "launch.by_launcher",
           {r["name"]: r["device_events"] for r in launches.get("launchers", [])}, want["by_launcher"])
    delays = {(r["of"], r["delay"]): r for r in launches.get("delays", [])}
    for of in ("kernel", "memcpy", "memset", "all"):
        for delay in ("start", "end", "end_clip0"):
            stats = (want.get(of) or {}).get(f"delay_{delay}")
            row = delays.get((of, delay)) or {}
            what = f"launch {of} {delay}"
            if not stats:
                expect(name, what, row.get("count") or None, None)
                continue
            expect(name, f"{what} n", row.get("count"), stats["n"])
            expect(name, f"{what} negative", row.get("negative"), stats["negative"])
            for column, key in (("min_ns", "min_us"), ("max_ns", "max_us"), ("sum_ns", "sum_us")):
                expect(name, f"{what} {key}", row.get(column), ns(stats[key]))
            for column, key in (("mean_ns", "mean_us"), ("median_ns", "median_us")):
                expect_near(name, f"{what} {key}", row.get(column), decimal.Decimal(stats[key]) * 1000)


def check_memory(name, gold, trace, memory):
    got = {(r["device_type"], r["device_id"]): r for r in memory.get("peaks", [])}
    for key, want in (gold.get("memory") or {}).items():
        kind, device = key[4:].split(":")
        row = got.get((int(kind), int(device)), {})
        for column, field in (("events", "events"), ("alloc_bytes", "alloc_bytes"),
                              ("free_bytes", "free_bytes"),
                              ("peak_allocated_bytes", "peak_allocated"),
                              ("peak_reserved_bytes", "peak_reserved")):
            expect(name, f"memory {key} {field}", row.get(column), want[field])
    expect(name, "memory devices", len(got), len(gold.get("memory") or {}))
    sums = collections.Counter()
    for r in memory.get("ops", []):
        sums[r["device"]] += r["self_alloc_bytes"]
    for r in memory.get("peaks", []):
        expect(name, f"{r['device']}: sum of ops", sums[r["device"]], r["alloc_bytes"])
    highest = collections.defaultdict(lambda: None)
    for r in memory.get("curve", []):
        if r["allocated_bytes"] is not None:
            highest[r["device"]] = max(r["allocated_bytes"], highest[r["device"]] or r["allocated_bytes"])
    for r in memory.get("peaks", []):
        peak = r["peak_growth_bytes"] if r["peak_allocated_bytes"] is None else r["peak_allocated_bytes"]
        expect(name, f"{r['device']}: the thinned curve has the peak", highest[r["device"]], peak)


def check_stages(name, gold, stages):
    total, self_cpu, calls = (collections.Counter() for _ in range(3))
    for r in stages.get("stages", []):
        if r["kind"] == "user_annotation":
            total[r["name"]] += r["total_ns"]
            self_cpu[r["name"]] += r["self_cpu_ns"]
            calls[r["name"]] += r["calls"]
    for want in gold["user_annotations"]:
        expect(name, f"stage {want['name']} calls", calls[want["name"]], want["count"])
        expect(name, f"stage {want['name']} total", total[want["name"]], ns(want["total_us"]))
        expect(name, f"stage {want['name']} self CPU", self_cpu[want["name"]], ns(want["self_rt_us"]))
    by_parent = collections.Counter()
    for r in stages.get("stages", []):
        if r["depth"] > 0:
            by_parent[r["path"].rsplit(" / ", 1)[0]] += r["total_ns"]
    for r in stages.get("stages", []):
        if " / " not in r["name"]:
            expect(name, f"stage {r['path']}: self + below", r["self_ns"] + by_parent[r["path"]],
                   r["total_ns"])


def covered(spans):
    """How long at least one of them lasts."""
    length, until = 0, None
    for start, end in sorted(spans):
        if until is None or end > until:
            length += end - (start if until is None or start > until else until)
            until = end
    return length


def check_stacks(name, path, gold, trace, cpu_total):
    stacks = traceq("stacks", path)
    want = gold.get("python_function")
    if stacks is None:
        return
    functions = {r["name"]: r for r in stacks.get("functions", [])}
    if want:
        expect(name, "python_function.count", sum(r["calls"] for r in functions.values()),
               want["count"])
        expect(name, "python_function.distinct", len(functions), want["distinct"])
        for w in want["top_by_total"]:
            row = functions.get(w["name"], {})
            expect(name, f"python {w['name']} calls", row.get("calls"), w["count"])
            for column, key in (("min_ns", "min_us"), ("max_ns", "max_us")):
                expect(name, f"python {w['name']} {key}", row.get(column), ns(w[key]))
            expect(name, f"python {w['name']} mean", round(float(row.get("mean_ns") or 0) * w["count"]),
                   ns(w["total_us"]))
        on_stack = collections.defaultdict(list)
        for e in trace.python:
            on_stack[e.name, e.tid].append((e.start, e.end))
        total = collections.Counter()
        for (function, _), spans in on_stack.items():
            total[function] += covered(spans)
        for function, row in functions.items():
            expect(name, f"python {function} total", row["total_ns"], total[function])
    ops = traceq("stacks", path, "--source", "ops")
    if ops is not None:
        expect(name, "sum of op stacks", sum(r["self_cpu_ns"] for r in ops["stacks"]), cpu_total)
    if trace.device:
        work = traceq("stacks", path, "--metric", "device", "--source", "ops")
        expect(name, "sum of device stacks", sum(r["device_ns"] for r in work["stacks"]),
               sum(e.dur for e in trace.device))


def check_trace(figures):
    with open(figures, encoding="utf-8") as f:
        gold = json.load(f, parse_float=decimal.Decimal)
    name, path = gold["name"], os.path.join(SHARED, "traces", f"{gold['name']}.json.gz")
    trace = Trace(path)
    check_idle(name, path)
    launches = traceq("launches", path, "-n", "0")
    if launches is not None:
        check_launches(name, gold, launches)
        check_queues(name, trace, launches)
    memory = traceq("memory", path)
    if memory is not None:
        check_memory(name, gold, trace, memory)
    stages = traceq("stages", path, "--no-fold")
    if stages is not None:
        check_stages(name, gold, stages)
    check_stacks(name, path, gold, trace, ns(gold["totals"]["cpu_total_us"]))


def largest(rows):
    """What devices waited for most."""
    return max(ledger.WAITS.values(), key=lambda k: sum(r[f"{k}_ns"] for r in rows))


def check_pair():
    """The same model with and without data loader workers."""
    for trace, is_bound in (("tb_resnet50_nw0_a", True), ("tb_resnet50_nw4_a", False)):
        idle = traceq("idle", os.path.join(SHARED, "traces", trace + ".json.gz"))
        if idle is None:
            continue
        row = idle["devices"][0]
        expect(trace, "waits for the data loader most", largest([row]) == "dataloader", is_bound)
        expect(trace, "more than a tenth", row["dataloader_ns"] > row["idle_ns"] // 10, is_bound)


def generated(folder, scenario):
    path = os.path.join(folder, scenario + ".json")
    with open(path, "wb") as out:
        subprocess.run([FIXTURES, scenario, "--size", "3M"], stdout=out, check=True)
    answers = subprocess.run([FIXTURES, "--answers", scenario, "--size", "3M"], stdout=subprocess.PIPE,
                             check=True)
    return path, json.loads(answers.stdout, parse_float=decimal.Decimal)


def check_generated_launches(scenario, want, launches):
    total = launches["totals"][0] if launches.get("totals") else None
    if total:
        for column, key in (("device_events", "device_activities"), ("unlinked", "unmatched"),
                            ("unlinked_ns", "unmatched_ns")):
            expect(scenario, f"launch {key}", total[column], want[key])
        expect(scenario, "launch matched", total["linked"] + total["graph"], want["matched"])
        expect(scenario, "launch by_graph", total["graph"], want["by_graph"])
    delays = {(r["of"], r["delay"]): r for r in launches.get("delays", [])}
    for of in ("kernel", "memcpy", "memset"):
        figures = want.get(of) or {}
        for key, delay in (("delay_start", "start"), ("delay_end", "end")):
            row = delays.get((of, delay), {})
            for column in ("sum_ns", "min_ns", "max_ns"):
                if figures.get("count") and f"{key}_{column}" in figures:
                    expect(scenario, f"{of} {key}_{column}", row.get(column),
                           figures[f"{key}_{column}"])


def check_scenario(folder, scenario):
    path, want = generated(folder, scenario)
    trace = Trace(path)
    idle = check_idle(scenario, path)
    launches = traceq("launches", path, "-n", "0")
    check_queues(scenario, trace, launches)
    check_generated_launches(scenario, want.get("launch") or {}, launches)
    memory = traceq("memory", path)
    peak = (want.get("memory") or {}).get("peak_bytes")
    if peak:
        got = max(r["peak_allocated_bytes"] or 0 for r in memory["peaks"])
        expect(scenario, "memory peak", got, peak)
    if scenario in ("leak", "healthy") and memory.get("trend"):
        signs = {r["sign"] for r in memory["trend"]}
        expect(scenario, "memory grows", bool(signs & {"leak", "rising"}), scenario == "leak")
    stacks = traceq("stacks", path, "--source", "ops")
    expect(scenario, "sum of op stacks", sum(r["self_cpu_ns"] for r in stacks["stacks"]),
           want["cpu_total_ns"])
    most = {"dataloader-bound": ("dataloader",), "launch-bound": ("launch", "cpu_op", "runtime_call", "python")}
    if scenario in most:
        expect(scenario, "largest class", largest(idle["devices"]) in most[scenario], True)


SCENARIOS = ("healthy", "dataloader-bound", "copy-bound", "launch-bound", "comm-bound", "leak", "cpu-only",
             "gpu-only", "graphs", "rocm", "python-stacks", "inference", "multi-stream", "multi-gpu",
             "serving-full-queue", "runs-ahead", "one-gap", "second-idle", "mixed")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for scenario in SCENARIOS:
            check_scenario(folder, scenario)
    skipped = 0
    files = sorted(glob.glob(os.path.join(SHARED, "golden", "*.json")))
    if not files:
        print(f"SKIP golden_gaps: {SHARED}/golden is absent")
        skipped = 1
    names = {traces.name_of(p) for p in traces.real(SHARED, 1)}
    for figures in files:
        if traces.name_of(figures) in names:
            check_trace(figures)
    if files:
        check_pair()
    for line in failures[:100]:
        print("FAIL", line)
    if len(failures) > 100:
        print(f"... {len(failures) - 100} more")
    tail = f", {skipped} skipped" if skipped else ""
    print(f"{sum(checked.values()) - len(failures)} passed, {len(failures)} failed{tail}")
    return 1 if failures else 0


sys.exit(main())
