#!/usr/bin/env python3
"""Kernels of graph replays, named by the trace of their capture, against a matching of our own.

The pair of vLLM ($SHARED/traces) is read by Python's own JSON parser. A launch between StreamBeginCapture and
StreamEndCapture is captured; the n-th kernel of the n-th graph launch is the n-th launch of the n-th graph, which
the names that HIP writes beside launches confirm one by one. From that:

  stacks --metric device   every kernel's calls inside of the capture, Python functions and operators, and its time
  top --by shape           device time and replays of each operator and its shapes
  top, stages              sums: what ops and kernels have is what they have without the capture
  kernels                  the op of every kernel
  roofline                 of matrix products FLOP, worked out from the capture's Input Dims, replays and time

The generator's pair (CUDA, whose launches have no names) is held against the same, matched by place. Where $SHARED is
absent the first pair is skipped with a word.
"""
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
CALLS = {"cpu_op", "user_annotation", "python_function"}
PRODUCTS = {"vllm::rocm_unquantized_gemm", "aten::addmm"}
WORK = {"kernel", "gpu_memcpy", "gpu_memset"}

passed = 0
failures = []


def same(where, what, got, want):
    global passed
    if got == want:
        passed += 1
        return
    if isinstance(want, dict) and isinstance(got, dict):
        odd = [(k, got.get(k), want.get(k)) for k in {*got, *want} if got.get(k) != want.get(k)]
        failures.append(f"{where}: {what}: {len(odd)} of {len(want)} differ, as {odd[0]!r}")
    else:
        failures.append(f"{where}: {what}: traceq {got!r}, reference {want!r}")


def ns(us):
    return int((decimal.Decimal(us) * 1000).to_integral_value(decimal.ROUND_HALF_EVEN))


class Event:
    def __init__(self, e):
        self.name, self.cat, self.args = e["name"], e.get("cat", ""), e.get("args", {})
        self.lane = (e.get("pid"), e.get("tid"))
        self.start, self.dur = ns(e["ts"]), ns(e.get("dur", 0))
        self.end = self.start + self.dur
        self.around = ()


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        doc = json.load(f, parse_float=decimal.Decimal)
    return [Event(e) for e in doc["traceEvents"] if e.get("ph") == "X"]


def nest(events):
    """Gives each runtime call the calls around it, outermost first."""
    lanes = collections.defaultdict(list)
    for e in events:
        if e.cat in CALLS or e.cat in ("cuda_runtime", "cuda_driver"):
            lanes[e.lane].append(e)
    for rows in lanes.values():
        open_calls = []
        for e in sorted(rows, key=lambda e: (e.start, -e.end)):
            while open_calls and (e.start >= open_calls[-1].end or e.end > open_calls[-1].end):
                open_calls.pop()
            if e.cat in CALLS:
                open_calls.append(e)
            else:
                e.around = tuple(open_calls)


def captured(events):
    """The launches of each graph, each with the calls that began inside of its capture."""
    ran = {e.args.get("correlation") for e in events if e.cat in WORK}
    graphs, begin = [], None
    for e in sorted((e for e in events if e.cat in ("cuda_runtime", "cuda_driver")), key=lambda e: e.start):
        if "BeginCapture" in e.name:
            begin = e.start
            graphs.append([])
        elif "EndCapture" in e.name:
            begin = None
        elif begin is not None and e.args.get("correlation") not in ran and any(
                w in e.name for w in ("LaunchKernel", "Memcpy", "Memset")):
            graphs[-1].append((e, [c for c in e.around if c.start >= begin]))
    return graphs


def replayed(events):
    """The work of each graph launch, in order."""
    work = collections.defaultdict(list)
    for e in events:
        if e.cat in WORK:
            work[e.args.get("correlation")].append(e)
    launches = sorted((e for e in events if "GraphLaunch" in e.name), key=lambda e: e.start)
    return [sorted(work[e.args["correlation"]], key=lambda e: e.start) for e in launches]


def op_of(calls):
    ops = [c for c in calls if c.cat == "cpu_op"]
    return ops[-1] if ops else None


def frame(name):
    return "ProfilerStep*" if name.startswith("ProfilerStep#") else name.replace(";", ":")


def shapes(op):
    return json.dumps(op.args["Input Dims"]) if "Input Dims" in op.args else None


def ask(command, path, capture, *more):
    words = [TRACEQ, *command.split(), path, "--json", "-q", "-n", "0", *more]
    done = subprocess.run(words + (["--capture", capture] if capture else []), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode:
        failures.append(f"{path}: {command}: exit {done.returncode}: {done.stderr.decode()}")
        return {}, []
    doc = json.loads(done.stdout)
    return {t["id"]: t["rows"] for t in doc["tables"]}, doc["notes"]


def check_stacks(where, path, capture, pairs):
    """By the calls inside of the capture and the kernel's name: how many kernels, how long."""
    want = collections.defaultdict(lambda: [0, 0])
    for kernel, calls in pairs:
        one = want[";".join(frame(c.name) for c in [*calls, kernel])]
        one[0] += 1
        one[1] += kernel.dur
    got = collections.defaultdict(lambda: [0, 0])
    for row in ask("stacks --metric device", path, capture)[0].get("stacks", []):
        _, launch, rest = row["stack"].partition("GraphLaunch;")
        if launch:
            got[rest][0] += row["calls"]
            got[rest][1] += row["device_ns"]
    same(where, "stacks", dict(got), dict(want))


def check_shapes(where, path, capture, pairs):
    """The op that launched it, with its shapes: device time and, of each replay, calls."""
    want = collections.defaultdict(lambda: [0, 0])
    for kernel, calls in pairs:
        op = op_of(calls)
        if op:
            want[op.name, shapes(op)][0] += kernel.dur
    seen = set()
    for replay, (_, calls) in zip(pairs.replay, pairs):
        op = op_of(calls)
        if op and (replay, op) not in seen:
            seen.add((replay, op))
            want[op.name, shapes(op)][1] += 1
    before = {(r["name"], r["input_shapes"] and json.dumps(json.loads(r["input_shapes"]))): r["self_device_ns"]
              for r in ask("top --by shape", path, None)[0]["ops"] if r.get("self_device_ns") is not None}
    got = {}
    for r in ask("top --by shape", path, capture)[0]["ops"]:
        key = r["name"], r["input_shapes"] and json.dumps(json.loads(r["input_shapes"]))
        if key in want:
            got[key] = [r["self_device_ns"] - before.get(key, 0), r["replays"]]
    same(where, "top --by shape", got, dict(want))


def check_sums(where, path, capture):
    """What is named is neither lost nor made: the sums are those of the trace alone."""
    for command in ("top", "top --by shape", "top --by phase", "top --by category"):
        both = [ask(command, path, c)[0]["ops"] for c in (None, capture)]
        for key in ("self_device_ns", "self_cpu_ns", "cpu_total_ns"):
            sums = [sum(r.get(key) or 0 for r in rows) for rows in both]
            same(where, f"{command}: sum of {key}", sums[1], sums[0])
        same(where, f"{command}: calls on the host", sum(r["calls"] - r["replays"] for r in both[1]),
             sum(r["calls"] for r in both[0]))
    trees = [ask("top --tree --depth 0", path, c)[0]["tree"] for c in (None, capture)]
    for key in ("self_device_ns", "self_cpu_ns"):
        sums = [sum(r.get(key) or 0 for r in rows) for rows in trees]
        same(where, f"top --tree: sum of {key}", sums[1], sums[0])
    stages = [ask("stages", path, c)[0]["stages"] for c in (None, capture)]
    roots = [sum(r["device_sum_ns"] for r in rows if r["depth"] == 0) for rows in stages]
    same(where, "stages: work of the roots", roots[1], roots[0])


def check_kernels(where, path, capture, pairs):
    """The op of each replayed kernel, by its name."""
    want = collections.Counter()
    for kernel, calls in pairs:
        op = op_of(calls)
        if kernel.cat == "kernel" and op:
            want[kernel.name, op.name] += 1
    count = [{(r["name"], r["op"]): r["calls"] for r in ask("kernels --by op", path, c)[0]["kernels"]}
             for c in (None, capture)]
    got = {k: count[1].get(k, 0) - count[0].get(k, 0) for k in want}
    same(where, "kernels --by op", got, dict(want))


def product(op):
    """2 M N K of the call, and M N where a bias is added."""
    dims = op.args["Input Dims"]
    if op.name == "aten::addmm":
        bias, (m, k), (_, n) = dims[0], dims[1], dims[2]
    else:
        (m, k), (n, _), bias = dims[0], dims[1], dims[2]
    return 2 * m * n * k + (m * n if bias else 0)


def union(work):
    total, end = 0, 0
    for k in sorted(work, key=lambda k: k.start):
        total += max(0, k.end - max(k.start, end))
        end = max(end, k.end)
    return total


def check_roofline(where, path, capture, pairs):
    """A product of the capture is a call of each replay: what it computes, and the union of its kernels."""
    work = collections.defaultdict(list)
    for replay, (kernel, calls) in zip(pairs.replay, pairs):
        owner = next((c for c in calls if c.name in PRODUCTS), None)
        if owner:
            work[replay, owner].append(kernel)
    want = collections.defaultdict(lambda: [0, 0, 0])
    for (_, op), kernels in work.items():
        one = want[op.name, shapes(op)]
        for i, v in enumerate((1, product(op), union(kernels))):
            one[i] += v
    got = collections.defaultdict(lambda: [0, 0, 0])
    for sign, given in ((1, capture), (-1, None)):
        tables = ask("roofline", path, given)[0]
        for r in tables["ops"]:
            key = r["name"], r["dims"] and json.dumps(json.loads(r["dims"]))
            if key in want:
                for i, column in enumerate(("calls", "flop", "busy_ns")):
                    got[key][i] += sign * r[column]
    same(where, "roofline: products", dict(got), dict(want))
    same(where, "roofline: there are products", len(want) > 0, True)
    busy = [sum(r["own_ns"] for r in ask("roofline", path, c)[0]["ops"]) for c in (None, capture)]
    same(where, "roofline: device time", busy[1], busy[0])


class Pairs(list):
    """Kernels with the calls of their launches; replay: which graph launch each is of."""
    replay = ()


def check_pair(where, path, capture, choose, named):
    run, tape = read(path), read(capture)
    nest(tape)
    graphs, replays = captured(tape), replayed(run)
    pairs = Pairs()
    pairs.replay = []
    for i, work in enumerate(replays):
        graph = graphs[choose(i, work, graphs)]
        same(where, f"kernels of replay {i}", len(work), len(graph))
        for kernel, (launch, calls) in zip(work, graph):
            if "kernel" in launch.args and named:
                same(where, "name of a launch", launch.args["kernel"], kernel.name)
            pairs.append((kernel, calls))
            pairs.replay.append(i)
    check_stacks(where, path, capture, pairs)
    check_shapes(where, path, capture, pairs)
    check_kernels(where, path, capture, pairs)
    check_roofline(where, path, capture, pairs)
    check_sums(where, path, capture)
    text = next(n["text"] for n in ask("top", path, capture)[1] if n["id"] == "replays_named")
    how = "" if named else f", {len(pairs)} of them by their place in the graph alone"
    same(where, "note", text, f"{len(pairs)} of {len(pairs)} replayed kernels are named by the capture{how}")


def real_pair():
    run = os.path.join(SHARED, "traces", "tl_vllm_piecewise_exec.json.gz")
    if not os.path.exists(run):
        print(f"skip: no {run}")
        return
    check_pair("vllm", run, run.replace("_exec", "_capture"), lambda i, work, graphs: i, True)


def made_pair(folder):
    run, capture = os.path.join(folder, "run.json"), os.path.join(folder, "capture.json")
    for path, more in ((run, ["--steps", "3"]), (capture, ["--steps", "1", "--capture"])):
        with open(path, "wb") as f:
            subprocess.run([FIXTURES, "graph-serving", *more], stdout=f, check=True)
    check_pair("graph-serving", run, capture,
               lambda i, work, graphs: next(k for k, g in enumerate(graphs) if len(g) == len(work)), False)


def main():
    real_pair()
    with tempfile.TemporaryDirectory() as folder:
        made_pair(folder)
    print(f"{passed} passed, {len(failures)} failed")
    for f in failures[:20]:
        print("FAIL", f)
    sys.exit(1 if failures else 0)


main()
