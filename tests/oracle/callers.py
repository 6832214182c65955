#!/usr/bin/env python3
"""`kernels --by line|module|stack`, worked out here from the raw events.

A kernel comes from the Python functions that are open around its launch, by "Python parent id"; where
no Python was recorded from the Call stack (or Module Hierarchy) of the innermost op that has one. What
a backward op launched comes from where the last op of the forward pass with its Sequence number was
called. Traces that are drawn here have their answers written beside them.
"""
import bisect
import collections
import functools
import glob
import gzip
import json
import os
import subprocess
import sys
import tempfile

TRACEQ, FIXTURES = os.environ["TRACEQ"], os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
OPS = {"cpu_op", "operator", "user_annotation"}
CALLS = {"cuda_runtime", "cuda_driver", "runtime", "hip_runtime"}
OTHERS = tuple("""nn.Module: |<|torch/|contextlib.py|functools.py|threading.py|runpy.py|multiprocessing/
|concurrent/|asyncio/|importlib/|logging/|queue.py|copy.py|typing.py|abc.py|inspect.py|collections/
|pickle.py|bdb.py""".replace("\n", "").split("|"))
STACK_BYTES = 2048
compared = failed = 0


def check(ok, what):
    global compared, failed
    compared, failed = compared + 1, failed + (not ok)
    if not ok:
        print("FAIL", what)


@functools.lru_cache(None)
def is_library(frame):
    return frame.startswith(OTHERS) or any(
        w in frame for w in ("site-packages/", "dist-packages/", "/lib/python"))


@functools.lru_cache(None)
def line_of(stack):
    """stack: frames, innermost first."""
    own = [f for f in stack if not is_library(f)]
    named = [f for f in stack if not f.startswith(("nn.Module: ", "<"))]
    return (own or named or [None])[0]


@functools.lru_cache(None)
def module_of(stack):
    return next((f[len("nn.Module: "):] for f in stack if f.startswith("nn.Module: ")), None)


@functools.lru_cache(None)
def stack_of(stack):
    for frames in ([f for f in stack if not is_library(f) or f.startswith("nn.Module: ")], stack):
        taken, size = [], 0
        for f in frames:
            size += len(f.encode()) + 1
            if taken and size > STACK_BYTES:
                break
            taken.append(f)
        if taken:
            return ";".join(reversed(taken))
    return None


def ns(v):
    return round(float(v) * 1000)


class Trace:
    def __init__(self, events):
        spans = [e for e in events if isinstance(e, dict) and e.get("ph") == "X"]
        self.python = {e["args"]["Python id"]: e for e in spans if e.get("cat") == "python_function"}
        self.kernels = [e for e in spans if str(e.get("cat")).lower() == "kernel"]
        calls = [e for e in spans if str(e.get("cat")).lower() in CALLS
                 and "correlation" in (e.get("args") or {})]
        self.launch = {}
        for e in sorted(calls, key=lambda e: ns(e["ts"])):
            self.launch.setdefault(int(e["args"]["correlation"]), e)
        launches = {id(e) for e in self.launch.values()}
        by_lane = collections.defaultdict(list)
        for e in spans:
            cat = str(e.get("cat")).lower()
            if cat in OPS or cat == "python_function":
                by_lane[e["pid"], e["tid"]].append((ns(e["ts"]), ns(e.get("dur", 0)), e))
        for e in self.launch.values():
            by_lane[e["pid"], e["tid"]].append((ns(e["ts"]), ns(e.get("dur", 0)), e))
        self.around = {}  # by id of a launch or an op with a number: what is open around it
        for rows in by_lane.values():
            rows.sort(key=lambda r: (r[0], -r[1], id(r[2]) in launches))
            opened = []  # (end, start, event); what has no length is open for its moment
            for start, dur, e in rows:
                while opened and opened[-1][0] <= start and not opened[-1][0] == opened[-1][1] == start:
                    opened.pop()
                if id(e) in launches or "Sequence number" in (e.get("args") or {}):
                    self.around[id(e)] = [o[2] for o in opened if o[0] > start or o[0] == o[1] == start]
                opened.append((start + dur, start, e))
        self.forward = collections.defaultdict(list)
        for rows in by_lane.values():
            for start, _, e in rows:
                a = e.get("args") or {}
                seq = a.get("Sequence number")
                if seq is None or int(seq) < 0 or self.is_backward(e) or any(
                        self.is_backward(o) for o in self.around[id(e)]):
                    continue
                stack = self.frames(self.around[id(e)] + [e])
                if stack:
                    self.forward[int(seq)].append((start, stack))
        for found in self.forward.values():
            found.sort(key=lambda f: f[0])

    @staticmethod
    def is_backward(e):
        a = e.get("args") or {}
        return int(a.get("Fwd thread id") or 0) > 0 and int(a.get("Sequence number", -1)) >= 0

    def frames(self, opened):
        """Innermost first; of Python functions, else of a Call stack."""
        if self.python:
            last = [o for o in opened if o.get("cat") == "python_function"][-1:]
            stack, e = [], last[0] if last else None
            while e is not None:
                stack.append(e["name"])
                e = self.python.get(e["args"].get("Python parent id"))
            return stack
        for o in reversed(opened):
            said = (o.get("args") or {}).get("Call stack")
            if said:
                return [f for f in said.split(";") if f]
        return []

    def stack(self, kernel):
        call = self.launch.get(int(kernel["args"].get("correlation", -1)))
        if call is None:
            return []
        opened = self.around[id(call)]
        back = [o for o in opened if self.is_backward(o)]
        if back:
            seq, start = int(back[-1]["args"]["Sequence number"]), ns(back[-1]["ts"])
            before = bisect.bisect_right(self.forward[seq], start, key=lambda f: f[0])
            if before:
                return self.forward[seq][before - 1][1]
        return self.frames(opened)


def ask(path, by):
    p = subprocess.run([TRACEQ, "kernels", path, "--by", by, "-n", "0", "--json", "-q"],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    got = collections.Counter()
    for table in json.loads(p.stdout)["tables"] if p.stdout else []:
        for r in table["rows"] if table["id"] == "kernels" else []:
            got[r["from"], r["name"]] += r["calls"]
    return got


def compare(name, path, events):
    trace = Trace(events)
    stacks = {id(k): tuple(trace.stack(k)) for k in trace.kernels}
    for by, text in (("line", line_of), ("module", module_of), ("stack", stack_of)):
        if by == "module" and not trace.python:
            continue
        want = collections.Counter()
        for k in trace.kernels:
            none = "(in no module)" if by == "module" else "(not recorded)"
            want[text(stacks[id(k)]) or none, k["name"]] += 1
        got = ask(path, by)
        for key in set(want) | set(got):
            check(want[key] == got[key], f"{name} by {by} {key}: {got[key]}, worked out {want[key]}")


def load(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        d = json.loads(f.read().decode(errors="replace"))
    return d["traceEvents"] if isinstance(d, dict) else d


# ---- drawn ----

def event(cat, name, tid, ts, dur, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": tid, "ts": ts, "dur": dur,
            "args": {k.replace("_", " "): v for k, v in args.items()}}


def function(n, name, ts, dur, up=None):
    return event("python_function", name, 1, ts, dur, **{"Python id": n, "Python parent id": up})


def op(name, tid, ts, dur, seq, fwd=0, **args):
    return event("cpu_op", name, tid, ts, dur,
                 **{"Sequence number": seq, "Fwd thread id": fwd, **args})


def launched(n, tid, ts, name):
    k = event("kernel", name, 7, ts + 5, 3, device=0, stream=7, correlation=n)
    k["pid"] = 0
    return [event("cuda_runtime", "cudaLaunchKernel", tid, ts, 2, correlation=n), k]


# The second aten::add has the number of the first, which made no node: the last one counts.
PYTHON = [
    function(1, "train.py(10): main", 0, 1000), function(2, "nn.Module: Net_0", 10, 300, 1),
    function(3, "torch/nn/modules/module.py(1): _call_impl", 11, 298, 2),
    function(4, "model/net.py(5): forward", 12, 100, 3), op("aten::add", 1, 20, 10, 7),
    *launched(1, 1, 22, "fwd_a"), function(5, "model/net.py(9): tail", 120, 100, 3),
    op("aten::add", 1, 130, 10, 7), *launched(2, 1, 132, "fwd_b"),
    op("autograd::engine::evaluate_function: AddBackward0", 2, 400, 50, 7, 1),
    op("aten::mul", 2, 410, 20, -1), *launched(3, 2, 412, "bwd"),
    *launched(4, 2, 480, "nobody"), *launched(5, 1, 600, "step")]
STACKS = [
    op("aten::add", 1, 20, 10, 3, **{"Call stack": "/x/site-packages/torch/f.py(3): add;net.py(7): "
                                                   "forward;train.py(20): main"}),
    *launched(1, 1, 22, "fwd"), op("AddBackward0", 2, 100, 50, 3, 1), *launched(2, 2, 110, "bwd")]
ANSWERS = [
    ("functions", PYTHON, "line", {"fwd_a": "model/net.py(5): forward",
                                   "fwd_b": "model/net.py(9): tail", "bwd": "model/net.py(9): tail",
                                   "nobody": "(not recorded)", "step": "train.py(10): main"}),
    ("functions", PYTHON, "module", {"fwd_a": "Net_0", "fwd_b": "Net_0", "bwd": "Net_0",
                                     "nobody": "(in no module)", "step": "(in no module)"}),
    ("functions", PYTHON, "stack", {
        "fwd_a": "train.py(10): main;nn.Module: Net_0;model/net.py(5): forward",
        "fwd_b": "train.py(10): main;nn.Module: Net_0;model/net.py(9): tail",
        "bwd": "train.py(10): main;nn.Module: Net_0;model/net.py(9): tail",
        "nobody": "(not recorded)", "step": "train.py(10): main"}),
    ("call stacks", STACKS, "line", {"fwd": "net.py(7): forward", "bwd": "net.py(7): forward"}),
    ("call stacks", STACKS, "stack", {"fwd": "train.py(20): main;net.py(7): forward",
                                      "bwd": "train.py(20): main;net.py(7): forward"}),
]


def main():
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "t.json")
        for name, events, by, want in ANSWERS:
            with open(path, "w", encoding="utf-8") as f:
                f.write(json.dumps({"schemaVersion": 1, "traceEvents": events}))
            got = {kernel: place for place, kernel in ask(path, by)}
            check(got == want, f"{name} by {by}: {got}")
            compare(name, path, events)
        for scenario in ("python-stacks", "healthy", "multi-stream"):
            with open(path, "wb") as f:
                subprocess.run([FIXTURES, scenario, "--steps", "3"], stdout=f, check=True)
            compare(scenario, path, load(path))
    samples = sorted(glob.glob(os.path.join(SHARED, "traces", "*.json*")))
    for path in samples:
        # Without a call in the trace an op is known by its External id, which is not repeated here.
        if os.path.basename(path).split(".")[0] not in ("tl_mi210_gpu_only", "hta_amd_mi250"):
            compare(os.path.basename(path), path, load(path))
    print(f"{compared - failed} passed, {failed} failed, {int(not samples)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
