#!/usr/bin/env python3
"""The ledger, the steps and the eight roles of real traces, against two references.

First the figures in $SHARED/golden (devices, profiler_steps, totals), exactly.  Then the traces
themselves, read here with Python's json and added up in another way than traceq does: a list of
intervals for each class and role, united, intersected and subtracted.  Where steps begin and end is
judging/ledger.py's.  Integer ns everywhere.
"""
import collections
import decimal
import functools
import glob
import json
import os
import re
import subprocess
import sys

from judging import reading, traces
from judging.ledger import WAITS, Run
from judging.reading import ns

TRACEQ = os.environ["TRACEQ"]
SHARED = os.environ.get("SHARED", "../shared")
COMM = re.compile("nccl|rccl|hccl|oneccl|gloo|xccl|nvshmem|mscclpp|cross_device_reduce|"
                  "allreduce_fusion|(one|two)_shot_all_reduce|_all_gather|reduce_scatter", re.I)
DEVICE_CATS = {"kernel": "kernel", "gpu_memcpy": "memcpy", "gpu_memset": "memset",
               "memcpy": "memcpy", "memset": "memset"}
HIDDEN = {"[memory]", "[OutOfMemory]", "profiler::_record_function_enter",
          "profiler::_record_function_enter_new", "profiler::_record_function_exit",
          "aten::is_leaf", "aten::output_nr", "aten::_version"}
ROLE_KEYS = ["kernel_ns", "memcpy_ns", "memset_ns", "communication_ns", "runtime_ns",
             "dataloader_ns", "cpu_exec_ns"]

passed = collections.Counter()
failures = []


def expect(trace, what, got, want):
    if got == want:
        passed[trace] += 1
    else:
        failures.append(f"{trace}: {what}: traceq {got!r}, reference {want!r}")


def traceq(command, path, *more):
    done = subprocess.run([TRACEQ, command, path, "--json", "-q", *more], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode != 0:
        failures.append(f"{path}: {command}: exit {done.returncode}: {done.stderr.decode()}")
        return None
    return {t["id"]: t["rows"]
            for t in json.loads(done.stdout, parse_float=decimal.Decimal)["tables"]}


# ---- sets of time -------------------------------------------------------------------------------

def unite(parts):
    out = []
    for start, end in sorted(parts):
        if end <= start:
            continue
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return out


def intersect(a, b):
    out, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        start, end = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if start < end:
            out.append([start, end])
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return out


def subtract(a, b):
    out, j = [], 0
    for start, end in a:
        while j < len(b) and b[j][1] <= start:
            j += 1
        k = j
        while k < len(b) and b[k][0] < end:
            if b[k][0] > start:
                out.append([start, b[k][0]])
            start = max(start, b[k][1])
            k += 1
        if start < end:
            out.append([start, end])
    return out


def length(a):
    return sum(end - start for start, end in a)


def within(a, start, end):
    return length(intersect(a, [[start, end]]))


# ---- against the figures ------------------------------------------------------------------------

def check_figures(name, gold, summary, steps, on_device):
    devices = {str(r["device"]): r for r in summary["run_devices"]}
    expect(name, "devices", sorted(devices), sorted(gold["devices"]))
    for device, want in gold["devices"].items():
        row = devices.get(device, {})
        for column, key in (("span_ns", "span_us"), ("busy_ns", "busy_us"), ("idle_ns", "idle_us"),
                            ("sum_ns", "sum_us"), ("compute_ns", "compute_union_us"),
                            ("kernel_union_ns", "kernel_union_us"),
                            ("compute_kernel_union_ns", "compute_kernel_union_us"),
                            ("comm_union_ns", "comm_union_us"),
                            ("memcpy_union_ns", "memcpy_union_us"),
                            ("exposed_comm_ns", "exposed_comm_us"),
                            ("exposed_memcpy_ns", "exposed_memcpy_us"),
                            ("comm_compute_overlap_ns", "comm_comp_overlap_us"),
                            ("comm_compute_kernel_overlap_ns", "comm_compkernel_overlap_us")):
            expect(name, f"device {device} {key}", row.get(column), ns(want[key]))
        expect(name, f"device {device} activities", row.get("device_events"), want["activities"])
        expect(name, f"device {device} streams", row.get("streams"), len(want["streams"]))
        share = want["comm_comp_overlap_pct_of_comm"]
        got = row.get("comm_compute_overlap_ratio")
        expect(name, f"device {device} overlap share", got is None, share is None)
        if share is not None and got is not None:
            expect(name, f"device {device} overlap share",
                   abs(float(got) * 100 - float(share)) < 1e-5, True)
    for want in gold["profiler_steps"]:
        rows = [r for r in steps["steps"] if r["name"] == want["name"]]
        expect(name, f"{want['name']} is there", bool(rows), True)
        for row in rows:
            expect(name, f"{want['name']} on the CPU", row["host_ns"], ns(want["dur_us"]))
            if not on_device:
                expect(name, f"{want['name']} wall", row["wall_ns"], row["host_ns"])
            if row["device"] is not None and not on_device:
                expect(name, f"{want['name']} busy", row["busy_ns"],
                       ns(want["gpu_busy_in_step_us"][str(row["device"])]))
    over, want = summary["overview"][0], gold["totals"]
    expect(name, "cuda_total", over["device_sum_ns"] or 0, ns(want["cuda_total_us"]))
    expect(name, "cpu_total", over["cpu_total_ns"] or 0, ns(want["cpu_total_us"]))
    ratios = {r["figure"]: r for r in summary.get("ratios", [])}
    correct = ratios.get("CPU/GPU, self time")
    if want["cuda_over_cpu"] and correct:
        expect(name, "cuda_over_cpu",
               abs(float(correct["of_ns"]) / float(correct["part_ns"])
                   - float(want["cuda_over_cpu"])) < 1e-6, True)


# ---- against the trace --------------------------------------------------------------------------

def number(value):
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?\d+", value) else value


def host_role(cat, name, step_names):
    if "runtime" in cat or "driver" in cat:
        return 4
    if cat not in ("cpu_op", "operator", "user_annotation") or name in step_names:
        return None
    if name.startswith(("enumerate(DataLoader)", "enumerate(DataPipe)")):
        return 5
    return 3 if name.startswith("gloo:") else 6


@functools.lru_cache(None)
def is_comm(name):
    return bool(COMM.search(name))


def collect(events, step_names):
    """Intervals by device and class, and by role."""
    ops = {e["args"].get("External id") for e in events
           if e.get("ph") == "X" and str(e.get("name")).startswith(("nccl:", "record_param_comms"))
           and isinstance(e.get("args"), dict)}
    classes = collections.defaultdict(lambda: collections.defaultdict(list))
    roles = [[] for _ in ROLE_KEYS]
    for e in events:
        if e.get("ph") != "X" or e.get("cat") is None or e.get("ts") is None:
            continue
        cat, name, args = e["cat"].lower(), str(e.get("name")), e.get("args") or {}
        start = ns(e["ts"])
        span = (start, start + max(0, ns(e.get("dur") or 0)))
        if cat in DEVICE_CATS:
            kind = DEVICE_CATS[cat]
            if kind == "kernel":
                kind = "comm" if is_comm(name) else "compute"
                if kind == "compute" and args.get("External id") in ops and ops != {None}:
                    kind = "unsure"
            device = number(args.get("device", e.get("pid")))
            classes[device][kind].append(span)
            roles[{"compute": 0, "memcpy": 1, "memset": 2, "comm": 3, "unsure": 0}[kind]].append(
                span)
            continue
        role = host_role(cat, name, step_names)
        if role is not None:
            roles[role].append(span)
    return classes, [unite(r) for r in roles]


def check_spans(name, steps, run):
    """Where steps begin and end: on the device, where the CPU runs ahead."""
    seen = {}
    for row in steps["steps"]:
        seen.setdefault((row["start_ns"], row["end_ns"], row["step"]), row)
        expect(name, f"step {row['step']} wall", row["wall_ns"], row["end_ns"] - row["start_ns"])
    if run.work:  # else the whole is all that is recorded
        expect(name, "spans of steps", [k[:2] for k in seen], run.steps.spans)


def check_ledger(name, row, classes):
    start, end = row["start_ns"], row["end_ns"]
    compute = unite(classes["compute"] + classes["memset"])
    comm, memcpy = unite(classes["comm"]), unite(classes["memcpy"])
    busy = unite(sum(classes.values(), []))
    exposed = subtract(comm, compute)
    copies = subtract(subtract(memcpy, compute), comm)
    what = f"step {row['step']} device {row['device']}"
    for key, want in (("compute_ns", within(compute, start, end)),
                      ("exposed_comm_ns", within(exposed, start, end)),
                      ("exposed_memcpy_ns", within(copies, start, end)),
                      ("busy_ns", within(busy, start, end)),
                      ("idle_ns", end - start - within(busy, start, end) - row["unrecorded_ns"]),
                      ("comm_union_ns", within(comm, start, end)),
                      ("memcpy_union_ns", within(memcpy, start, end)),
                      ("comm_compute_overlap_ns", within(intersect(comm, compute), start, end))):
        expect(name, f"{what} {key}", row[key], want)
    expect(name, f"{what} sum", row["wall_ns"],
           row["compute_ns"] + row["exposed_comm_ns"] + row["exposed_memcpy_ns"] + row["idle_ns"]
           + row["unrecorded_ns"])
    expect(name, f"{what} sum of waiting", row["idle_ns"],
           sum(row[f"idle_{k}_ns"] for k in WAITS.values() if k != "unrecorded"))


def check_roles(name, rows, ranges, roles):
    for row, (start, end) in zip(rows, ranges):
        left = [[start, end]]
        for key, role in zip(ROLE_KEYS, roles):
            took = intersect(left, role)
            left = subtract(left, role)
            # Unknown where nothing recorded it; then the trace has none either.
            expect(name, f"step {row['step']} {key}", row[key] or 0, length(took))
        expect(name, f"step {row['step']} other_ns", row["other_ns"], length(left))


def check_ratio(name, summary, top, events):
    """The documents' ratio, from the rows of `top`, which has torch's dedup, and annotations."""
    want = {r["figure"]: r for r in summary.get("ratios", [])}.get("CPU/GPU, all rows")
    if not want:
        return
    ops = [r for r in top.get("ops", []) if r["name"] not in HIDDEN]
    expect(name, "documents' CPU total", want["part_ns"], sum(r["cpu_total_dedup_ns"] for r in ops))
    annotations = sum(ns(e["dur"]) for e in events if e.get("ph") == "X"
                      and e.get("cat") == "gpu_user_annotation" and e.get("dur"))
    expect(name, "documents' GPU total", want["of_ns"],
           sum(r["device_total_ns"] or 0 for r in ops) + annotations
           + sum(r["device_sum_ns"] for r in top["device"]))


def check_trace(name, path, summary, steps):
    rows = steps["steps"]
    events = reading.events(path)
    names = {r["name"] for r in rows} | {f"ProfilerStep#{r['step']}" for r in rows}
    names |= {e["name"] for e in events if str(e.get("name")).startswith("ProfilerStep#")}
    classes, roles = collect(events, names)
    for row in rows:
        if row["device"] is not None and not classes[row["device"]]["unsure"]:
            check_ledger(name, row, classes[row["device"]])
    seen = {}
    for row in rows:
        seen.setdefault((row["start_ns"], row["end_ns"], row["step"]), row)
    check_roles(name, steps["step_roles"], [k[:2] for k in seen], roles)
    top = traceq("top", path, "-n", "0")
    if top:
        check_ratio(name, summary, top, events)


def main():
    figures = {}
    for path in sorted(glob.glob(os.path.join(SHARED, "golden", "*.json"))):
        with open(path, encoding="utf-8") as f:
            gold = json.load(f, parse_float=decimal.Decimal)
        figures[f"{gold['name']}.json.gz"] = gold
    paths = traces.real(SHARED, 0)
    if not paths:
        print(f"SKIP ledger: {SHARED}/traces is absent")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    for path in paths:
        name = os.path.basename(path)
        summary, steps = traceq("summary", path), traceq("steps", path)
        if not summary or not steps:
            continue
        run = Run(path)
        check_spans(name, steps, run)
        if name in figures:
            check_figures(name, figures[name], summary, steps, run.steps.on_device)
        check_trace(name, path, summary, steps)
    for line in failures[:100]:
        print("FAIL", line)
    print(f"{sum(passed.values())} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
