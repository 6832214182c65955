#!/usr/bin/env python3
"""Figures against roofs agree to the last digit wherever they stand.

1. `top --by shape` and `roofline --by shape`, on every real trace: an op and its shapes have the same
   FLOP and time, summed over the rows of either; of one row each the same rate, share and bound.
2. `kernels --roof`, by name, launch configuration and op, and `roofline`, of kernels alone: the rows
   add up to the same FLOP, calls and time.  Which kernel has a call is worked out here from the raw
   events of one trace.
3. Collectives of jobs of the fixtures: bus bandwidth of `roofline` and of `comms`, and its share of
   the links as bytes, ranks and time of `comms` give it.
"""
import collections
import glob
import gzip
import json
import math
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
TRACES = os.path.join(os.environ.get("SHARED", "../shared"), "traces")
LINK = 450e9  # H100-80, one direction
count = collections.Counter()
failures = []


def same(what, got, want):
    count["compared"] += 1
    if got != want:
        failures.append(f"{what}: {got!r}, not {want!r}")


def answer(command, path, *more):
    p = subprocess.run([TRACEQ, command, path, "--json", "-q", "-n", "0", *more],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        failures.append(f"{command} {path} {more}: exit {p.returncode}: {p.stderr.decode()}")
        return {}
    return {t["id"]: t for t in json.loads(p.stdout)["tables"]}


def rows(tables, name):
    return tables[name]["rows"] if name in tables else []


def total(of, key):
    return sum(r[key] or 0 for r in of)


def grouped(of, *keys):
    to = collections.defaultdict(list)
    for r in of:
        to[tuple(r[k] for k in keys)].append(r)
    return to


# ---- 1: top ----


def compare_top(path, peak):
    mine = [r for r in rows(answer("top", path, "--by", "shape", *peak), "ops")
            if r["owned_busy_ns"] is not None]
    theirs = [r for r in rows(answer("roofline", path, *peak), "ops") if not r["is_kernel"]]
    # An op whose arguments are its caller's (cudnn_convolution_backward_weight) has other shapes there.
    by_name, by_name_there = grouped(mine, "name"), grouped(theirs, "name")
    same(f"{path}: names", sorted(by_name), sorted(by_name_there))
    for name in by_name_there:
        a, b = by_name.get(name, []), by_name_there[name]
        same(f"{path}: {name}: FLOP", total(a, "flop"), total(b, "flop"))
        same(f"{path}: {name}: time", total(a, "owned_busy_ns"), total(b, "busy_ns"))
    there = grouped(theirs, "name", "dims")
    for key, a in grouped(mine, "name", "input_shapes").items():
        b = there.get(key)
        if not b:
            continue
        same(f"{path}: {key}: FLOP", total(a, "flop"), total(b, "flop"))
        same(f"{path}: {key}: time", total(a, "owned_busy_ns"), total(b, "busy_ns"))
        if len(a) == len(b) == 1:
            for figure in ("flop", "tflop_per_s", "roof_ratio", "bound", "known_ratio", "why"):
                same(f"{path}: {key}: {figure}", a[0][figure], b[0][figure])
            count["rows of top"] += a[0]["flop"] is not None


# ---- 2: kernels ----


def compare_kernels(path, peak):
    only = ("--cat", "kernel,cpu_op,user_annotation,runtime", *peak)
    there = rows(answer("roofline", path, *only), "ops")
    for by in ("name", "config", "op"):
        mine = [r for r in rows(answer("kernels", path, "--roof", "--by", by, *only), "kernels")
                if r["owned_calls"] is not None]
        same(f"{path}: kernels by {by}: FLOP", total(mine, "flop"), total(there, "flop"))
        same(f"{path}: kernels by {by}: calls", total(mine, "owned_calls"), total(there, "calls"))
        same(f"{path}: kernels by {by}: time", total(mine, "owned_busy_ns"), total(there, "busy_ns"))
        for r in mine:
            if r["flop"] is not None and r["roof_ratio"] is None and r["bound"] is not None:
                failures.append(f"{path}: {r['name']}: a bound without a share")
        count["rows of kernels"] += sum(r["flop"] is not None for r in mine)


def load(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", errors="replace") as f:
        d = json.load(f)
    return d["traceEvents"] if isinstance(d, dict) else d


def compare_raw(path):
    """aten::mm alone on its thread's stack: 2 M N K each, to the longest kernel of its launches."""
    events = [e for e in load(path) if e.get("ph") == "X"]
    kernel = {e["args"]["correlation"]: e for e in events if e.get("cat") == "kernel"}
    launches = collections.defaultdict(list)
    for e in events:
        if e.get("cat") in ("cuda_runtime", "cuda_driver") and e["args"].get("correlation") in kernel:
            launches[e["tid"]].append((e["ts"], kernel[e["args"]["correlation"]]))
    want = collections.Counter()
    for e in events:
        if e.get("name") not in ("aten::mm", "aten::addmm"):
            continue
        dims = e["args"]["Input Dims"]
        a, b, extra = (dims[0], dims[1], 0) if e["name"] == "aten::mm" else (dims[1], dims[2], 1)
        flop = (2 * a[1] + extra) * a[0] * b[1]
        below = [k for ts, k in launches[e["tid"]] if e["ts"] <= ts < e["ts"] + e["dur"]]
        if below:
            want[max(below, key=lambda k: k["dur"])["name"]] += flop
    got = {r["name"]: r["flop"] for r in rows(
        answer("kernels", path, "--roof", "-f", "gemm|xmma|cutlass|splitK"), "kernels")}
    for name, flop in want.items():
        same(f"{path}: {name[:60]}: worked out", got.get(name), flop)
        count["worked out"] += 1


# ---- 3: collectives ----


def compare_job(folder, *options):
    subprocess.run([FIXTURES, "multi-rank", "--steps", "2", "--all-ranks", folder, *options],
                   check=True, stdout=subprocess.DEVNULL)
    path = os.path.join(folder, "rank0.json")
    comms = [r for r in rows(answer("comms", path), "collectives") if r["bus_bytes_per_s"]]
    there = [r for r in rows(answer("roofline", path), "ops") if r["bus_bytes_per_s"]]
    same(f"{options}: time", total(there, "busy_ns"), total(comms, "device_sum_ns"))
    by_time = {r["busy_ns"]: r for r in there}
    for r in comms:
        to = by_time.get(r["device_sum_ns"])
        if not to:
            continue  # the op and its shapes are of several collectives
        same(f"{options}: {r['collective']}: bus", to["bus_bytes_per_s"], r["bus_bytes_per_s"])
        same(f"{options}: {r['collective']}: bound", to["bound"], "link")
        n = r["ranks"]
        factor = 2 * (n - 1) / n if r["collective"] == "all_reduce" else (n - 1) / n
        if r["collective"] in ("send", "recv", "send_recv", "broadcast", "reduce"):
            factor = 1
        share = factor * r["all_bytes"] / LINK * 1e9 / r["device_sum_ns"]
        if not math.isclose(to["roof_ratio"], share, rel_tol=1e-9):
            failures.append(f"{options}: {r['collective']}: {to['roof_ratio']} of links, not {share}")
        count["collectives"] += 1


def main():
    traces = sorted(glob.glob(os.path.join(TRACES, "*.json*")))
    with tempfile.TemporaryDirectory() as tmp:
        for i, options in enumerate((("--world", "3"), ("--world", "4", "--tp", "2"),
                                     ("--world", "6", "--pp", "2"), ("--world", "4", "--ep", "4"))):
            compare_job(os.path.join(tmp, str(i)), *options)
    for path in traces:
        peak = ("--peak", "H100") if "hta_timeline" in path else ()
        compare_top(path, peak)
        compare_kernels(path, peak)
    for name in ("tl_h100_bert.json.gz", "tl_h100_qwen.json.gz"):
        if os.path.exists(os.path.join(TRACES, name)):
            compare_raw(os.path.join(TRACES, name))
    for text in failures[:40]:
        print(text)
    print("roofs:", ", ".join(f"{n} {what}" for what, n in sorted(count.items())))
    if count["collectives"] < 4 or (traces and (count["rows of top"] < 300 or count["worked out"] < 3 or
                                                count["rows of kernels"] < 300)):
        failures.append("too few rows compared")
        print(failures[-1])
    print(f"{count['compared']} passed, {len(failures)} failed, {0 if traces else 1} skipped")
    return 1 if failures else 0


sys.exit(main())
