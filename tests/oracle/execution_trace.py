#!/usr/bin/env python3
"""Execution traces: the join with a trace, and who needs whose data, worked out from the JSON files alone.

The sample pair ($SHARED/samples/execution_trace; skipped with a word where it is absent) is forty iterations of a stack
of linear layers.  Iterations are cut here at what begins them (the first linear behind an optimizer's step; the
backward of the loss), and aligned by a longest common subsequence; a kernel's call is the innermost around its launch.
Memory is played through call by call.  From that every figure of the tables data and data_ops, and the counts of the
note.  What is on the path is taken from the path's own segments.

Random programs follow: operators on few buffers, in whole, in part, in place and through views, in newer schemas with
strides.  There each byte knows who wrote it last, and work needs the data of the work before it where it reads such a
byte.
"""
import collections
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
SHARED = os.environ.get("SHARED", "../shared")
PAIR = os.path.join(SHARED, "samples/execution_trace")
CALLS = {"cpu_op", "user_annotation"}
WORK = {"kernel", "gpu_memcpy", "gpu_memset"}

passed = skipped = 0
failures = []


def same(what, got, want):
    global passed
    if got == want:
        passed += 1
    elif isinstance(got, dict) and isinstance(want, dict):
        odd = [(k, got.get(k), want.get(k)) for k in {*got, *want} if got.get(k) != want.get(k)]
        failures.append(f"{what}: {len(odd)} of {len(want)} differ, as {odd[0]!r}")
    else:
        failures.append(f"{what}: traceq {got!r}, reference {want!r}")


def ask(trace, et):
    out = subprocess.run([TRACEQ, "critical", trace, "--et", et, "--json", "-n", "0", "--list"], capture_output=True,
                         check=True).stdout
    doc = json.loads(out)
    return {t["id"]: t["rows"] for t in doc["tables"]}, {n["id"]: n for n in doc["notes"]}


def tensors(v):
    if isinstance(v, list):
        if len(v) == 6 and isinstance(v[5], str) and all(isinstance(x, int) for x in v[:5]):
            if v[1] and v[3]:
                yield v
        else:
            for x in v:
                yield from tensors(x)


def common(a, b):
    """Pairs of the longest common subsequence; what both begin and end with first."""
    n, lo, hi = min(len(a), len(b)), 0, 0
    while lo < n and a[lo] == b[lo]:
        lo += 1
    while hi < n - lo and a[-1 - hi] == b[-1 - hi]:
        hi += 1
    pairs = [(i, i) for i in range(lo)] + [(len(a) - 1 - i, len(b) - 1 - i) for i in range(hi)]
    x, y = a[lo:len(a) - hi], b[lo:len(b) - hi]
    best = [[0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i in reversed(range(len(x))):
        row, under = best[i], best[i + 1]
        for k in reversed(range(len(y))):
            row[k] = under[k + 1] + 1 if x[i] == y[k] else max(under[k], row[k + 1])
    i = k = 0
    while i < len(x) and k < len(y):
        if x[i] == y[k]:
            pairs.append((lo + i, lo + k))
            i, k = i + 1, k + 1
        elif best[i + 1][k] >= best[i][k + 1]:
            i += 1
        else:
            k += 1
    return pairs


class Program:
    """The calls of an execution trace, and for each who wrote what it reads."""

    def __init__(self, doc):
        self.node = {n["id"]: n for n in doc["nodes"]}
        self.inside = collections.defaultdict(list)
        for i in sorted(self.node):
            if self.node[i]["parent"] != i:
                self.inside[self.node[i]["parent"]].append(i)
        self.calls = [i for i in sorted(self.node) if not self.node[i]["name"].startswith("[pytorch|")]
        self.written = collections.defaultdict(list)  # by storage: who wrote what is in it, together
        self.needs, self.outside = {}, {}
        # Threads call one after the other here, by number; a thread's calls end before its next begins.
        for i in self.calls:
            if self.node[self.node[i]["parent"]]["name"].startswith("[pytorch|"):
                self.play(i)

    def play(self, i):
        n = self.node[i]
        takes = list(tensors(n["inputs"]))
        schema = n["op_schema"]
        args = schema[:schema.find(") ->")] if schema else ""
        marks = []
        depth, arg = 0, ""
        for c in args[args.find("(") + 1:] + ",":
            depth += (c in "([") - (c in ")]")
            if c == "," and depth == 0:
                if arg.strip() != "*":
                    marks.append(arg.strip())
                arg = ""
            else:
                arg += c
        fills = n["name"] in ("aten::zero_", "aten::fill_", "aten::copy_")
        needs, out = set(), False
        changed = []
        for k, value in enumerate(n["inputs"]):
            mark = marks[k] if k < len(marks) else ""
            is_changed = mark.startswith("Tensor(") and "!" in mark.split(")")[0]
            for t in tensors(value):
                if is_changed:
                    changed.append(t[1])
                if is_changed and (fills and k == 0 or mark.split(" ")[-1].startswith("out")):
                    continue
                needs |= set(self.written[t[1]])
                out |= not self.written[t[1]]
        self.needs[i], self.outside[i] = needs, out
        for child in self.inside[i]:
            self.play(child)
        for s in changed:
            self.write(i, s, fills and not self.inside[i])
        for t in tensors(n["outputs"]):
            if t[1] in [x[1] for x in takes]:
                continue
            inner = self.written[t[1]] and self.written[t[1]][-1] > i
            if schema or not self.inside[i] or inner or not self.written[t[1]]:
                self.write(i, t[1], not inner)

    def write(self, i, storage, is_all):
        if is_all and not (self.written[storage] and self.written[storage][-1] > i):
            self.written[storage] = []
        self.written[storage].append(i)

    def around(self, i):
        while i in self.node and not self.node[i]["name"].startswith("[pytorch|"):
            yield i
            i = self.node[i]["parent"]

    def relation(self, a, b):
        if a in self.around(b) or b in self.around(a):
            return "same_call"
        if not any(tensors(self.node[x]["inputs"] + self.node[x]["outputs"]) for x in (a,)) or \
                not list(tensors(self.node[b]["inputs"] + self.node[b]["outputs"])):
            return "unknown"
        if a in self.needs[b]:
            return "needs"
        if any(e in self.around(a) for e in self.needs[b]):
            return "unknown"
        return "follows"


def sample():
    et = json.load(gzip.open(os.path.join(PAIR, "linear_et.json.gz")))
    trace = json.load(gzip.open(os.path.join(PAIR, "linear_kineto.json.gz")))["traceEvents"]
    program = Program(et)
    slices = [(e["tid"], e["ts"], -(e["ts"] + e["dur"]), i) for i, e in enumerate(trace) if e.get("cat") in CALLS]
    lanes = collections.defaultdict(list)
    for tid, _, _, i in sorted(slices):
        lanes[tid].append(i)

    # iterations of each lane, by what begins them
    cuts = {}
    for tid, rows in lanes.items():
        names = [trace[i]["name"] for i in rows]
        if "aten::linear" in names:
            cut, stepped = [0], False
            for k, name in enumerate(names):
                stepped |= name.startswith("Optimizer.step")
                if stepped and name == "aten::linear":
                    cut.append(k)
                    stepped = False
        else:
            cut = [k for k, name in enumerate(names) if name == "autograd::engine::evaluate_function: NllLossBackward0"]
        cuts[tid] = [rows[a:b] for a, b in zip(cut, cut[1:] + [len(rows)])]
    node_of, found, pairs = {}, collections.Counter(), 0
    for thread in {program.node[i]["tid"] for i in program.calls}:
        calls = [i for i in program.calls if program.node[i]["tid"] == thread]
        names = [program.node[i]["name"] for i in calls]
        for its in cuts.values():
            if trace[its[0][0]]["name"] != names[0]:
                continue
            for number, rows in enumerate(its):
                for a, b in common(names, [trace[i]["name"] for i in rows]):
                    node_of[rows[b]] = (number, calls[a])
                    found[number] += 1
                    pairs += 1
    tables, notes = ask(os.path.join(PAIR, "linear_kineto.json.gz"), os.path.join(PAIR, "linear_et.json.gz"))
    whole = sum(n == len(program.calls) for n in found.values())
    same("join", notes["et_joined"]["text"],
         f"{len({n for _, n in node_of.values()})} of {len(program.calls)} calls of the execution trace are found, in "
         f"{len(found)} iterations, all of them in {whole}")
    same("pairs", notes["et_joined"]["count"], pairs)

    # the innermost op around each launch
    launches = collections.defaultdict(list)
    for i, e in enumerate(trace):
        if e.get("cat") == "cuda_runtime":
            launches[e["tid"]].append((e["ts"], e["args"]["correlation"]))
    op_of = {}
    for tid, list_ in launches.items():
        rows, stack, k = [i for i in lanes[tid] if trace[i]["cat"] == "cpu_op"], [], 0
        for ts, correlation in sorted(list_):
            while k < len(rows) and trace[rows[k]]["ts"] <= ts:
                stack.append(rows[k])
                k += 1
            while stack and trace[stack[-1]]["ts"] + trace[stack[-1]]["dur"] <= ts:
                stack.pop()
            op_of[correlation] = stack[-1] if stack else None
    work = sorted((e for e in trace if e.get("cat") in WORK), key=lambda e: (e["tid"], e["ts"]))
    calls, total = collections.Counter(), collections.Counter()
    behind = {}
    for a, b in zip(work, work[1:]):
        x, y = node_of.get(op_of[a["args"]["correlation"]]), node_of.get(op_of[b["args"]["correlation"]])
        if not x or not y:
            cls = "unknown"
        elif x[0] == y[0]:
            cls = program.relation(x[1], y[1])
        else:
            cls = "unknown" if program.outside[y[1]] or x[0] > y[0] else "follows"
        key = cls, trace[op_of[b["args"]["correlation"]]]["name"]
        calls[key] += 1
        total[key] += b["dur"] * 1000
        behind[b["ts"] * 1000] = key

    # of the path: work right behind a gap of the stream, or behind work
    path, before = collections.Counter(), None
    for s in tables["segments"]:
        if s["class"] == "kernel" and before and before["class"] in ("kernel", "stream gap"):
            key = behind[s["start_ns"]]
            path[key] += s["duration_ns"] + (before["duration_ns"] if before["class"] == "stream gap" else 0)
        before = s
    same("calls by op", {(r["class"], r["op"]): r["calls"] for r in tables["data_ops"]}, dict(calls))
    same("time by op", {(r["class"], r["op"]): r["total_ns"] for r in tables["data_ops"]}, dict(total))
    same("path by op", {(r["class"], r["op"]): r["on_path_ns"] for r in tables["data_ops"] if r["on_path_ns"]},
         dict(path))
    for column, by in (("calls", calls), ("total_ns", total), ("on_path_ns", path)):
        want = {c: sum(v for k, v in by.items() if k[0] == c) for c in {k[0] for k in calls}}
        same(f"data: {column}", {r["class"]: r[column] for r in tables["data"]}, want)


BUFFER, BUFFERS = 64, 5


class Bytes:
    """Buffers whose bytes know who wrote them."""

    def __init__(self, rng):
        self.rng, self.by, self.next = rng, {}, 1
        for _ in range(BUFFERS):
            self.new()

    def new(self, who=None):
        self.by[self.next] = [who] * BUFFER
        self.next += 1
        return self.next - 1, 0, BUFFER

    def some(self):
        storage = self.rng.choice(list(self.by)[-BUFFERS:])
        begin = self.rng.choice((0, 0, 16, 32, 40))
        return storage, begin, self.rng.choice((8, 16, BUFFER - begin))

    def read(self, t):
        return set(self.by[t[0]][t[1]:t[1] + t[2]])

    def write(self, t, who):
        self.by[t[0]][t[1]:t[1] + t[2]] = [who] * t[2]


def values(list_):
    return {"values": [[t[0] + 1000, t[0], t[1], t[2], 4, "cuda:0"] for t in list_], "shapes": [[t[2]] for t in list_],
            "types": ["Tensor(float)"] * len(list_), "strides": [[1]] * len(list_)}


def program(rng, n):
    """n operators with a kernel each: what they take, give, change, and whether each needs the one before."""
    memory, nodes, events, want = Bytes(rng), [], [], {}
    for i in range(n):
        name, kind = f"own::op{i}", rng.choice(("fresh", "fresh", "place", "out", "view"))
        takes, gives = [memory.some() for _ in range(rng.choice((1, 2)))], []
        reads = list(takes)
        args = [f"Tensor t{k}" for k in range(len(takes))]
        result = "Tensor"
        if kind in ("place", "out"):
            target = memory.some()
            takes.append(target)
            args.append("Tensor(a!) " + ("out" if kind == "out" else "self"))
            result = "Tensor(a!)"
            gives = [target]
            if kind == "place":
                reads.append(target)
        elif kind == "view":
            storage, begin, size = takes[0]
            gives, result, args[0] = [(storage, begin, size // 2)], "Tensor(a)", "Tensor(a) self"
        needed = set().union(*(memory.read(t) for t in reads))
        want[name] = "needs" if i - 1 in needed else "follows"
        if kind == "fresh":
            gives = [memory.new(i)]
        elif kind != "view":
            memory.write(target, i)
        schema = f"{name}({', '.join(args)}) -> {result}"
        nodes.append({"id": i + 10, "name": name, "ctrl_deps": 2, "inputs": values(takes), "outputs": values(gives),
                      "attrs": [{"name": "rf_id", "value": i + 1}, {"name": "tid", "value": 1},
                                {"name": "op_schema", "value": schema}]})
        events += [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 9, "args": {}},
                   {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10 * i + 1,
                    "dur": 2, "args": {"correlation": i + 1}},
                   {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 100 + 50 * i, "dur": 50,
                    "args": {"device": 0, "stream": 7, "correlation": i + 1}}]
    del want["own::op0"]
    return {"schema": "1.1.1-chakra.0.0.4", "nodes": nodes}, {"schemaVersion": 1, "traceEvents": events}, want


def write(folder, name, doc):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps(doc))
    return path


def randoms():
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(40):
            et, trace, want = program(random.Random(seed), 60)
            tables, _ = ask(write(folder, "t.json", trace), write(folder, "et.json", et))
            same(f"seed {seed}", {r["op"]: r["class"] for r in tables["data_ops"]}, want)
            saves = [r["saves_ns"] for r in tables["data"] if r["class"] == "follows"][0]
            same(f"seed {seed}: saves", saves >= 0 and saves <= 50000 * sum(c == "follows" for c in want.values()), True)


if os.path.isdir(PAIR):
    sample()
else:
    skipped += 1
    print("execution_trace: no sample pair in $SHARED")
randoms()
for f in failures:
    print("FAIL", f)
print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
sys.exit(bool(failures))
