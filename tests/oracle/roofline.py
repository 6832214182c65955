#!/usr/bin/env python3
"""Compares `roofline` with TraceLens and with figures computed here from the raw traces.

1. $SHARED/golden/roofline/*.tsv: FLOP, bytes, calls and times of TraceLens, row by row (op, shapes,
   types).  FLOP and bytes must be equal to the last digit; a difference counts as explained only where
   a rule below works out both figures, theirs and ours, from the arguments.  docs/definitions.md says
   why each rule is right.
2. Every trace: time of ops adds up to the union of device work, worked out here.
3. FLOP and bytes of every op of the classes below, worked out here from the raw events.
4. Convolutions by Winograd: the share of the roof is of what their kernels multiply, 2.25 or 4 times
   less, which is worked out from names of kernels and the ops around their launches.
5. How much of the device's time is known, of every trace with shapes: at least the floor below.
"""
import ast
import bisect
import collections
import csv
import glob
import json
import math
import os
import subprocess
import sys

from judging.reading import events as events_of

TRACEQ = os.environ["TRACEQ"]
SHARED = os.environ.get("SHARED", "../shared")
GOLDEN = os.path.join(SHARED, "golden", "roofline")
TRACES = os.path.join(SHARED, "traces")
count = collections.Counter()
reasons = collections.Counter()
failures = []

SIZE = {"double": 8, "long int": 8, "float": 4, "int": 4, "c10::Half": 2, "c10::BFloat16": 2,
        "short int": 2, "bool": 1, "unsigned char": 1, "signed char": 1}
KIND = {"bool": 0, "unsigned char": 1, "signed char": 1, "short int": 1, "int": 1, "long int": 1,
        "c10::Half": 2, "c10::BFloat16": 2, "float": 2, "double": 2}


def fail(text):
    failures.append(text)


def answer(path, *more):
    p = subprocess.run([TRACEQ, "roofline", path, "--json", "-q", "-n", "0", *more],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        fail(f"{path}: exit {p.returncode}: {p.stderr.decode()}")
        return {}
    return {t["id"]: t for t in json.loads(p.stdout)["tables"]}


def key_of(name, dims, types):
    return name, json.dumps(dims), json.dumps(types)


def prod(dims):
    return math.prod(dims)


# ---- what an op's arguments are, once more ----


class Call:
    def __init__(self, name, dims, types, strides, values):
        self.name, self.dims, self.types = name, dims, types
        self.strides = strides or [[] for _ in dims]
        self.values = values or []

    def n(self, i):
        return prod(self.dims[i])

    def is_tensor(self, i):
        return i < len(self.types) and self.types[i] not in ("", "Scalar", "ScalarList", "TensorList")

    def stored(self, i):
        s = self.strides[i] if i < len(self.strides) else []
        if len(s) != len(self.dims[i]):
            return self.n(i)
        return prod(d for d, step in zip(self.dims[i], s) if step != 0 or d == 0)

    def bytes(self, i):
        return self.stored(i) * SIZE[self.types[i]] if self.is_tensor(i) else 0

    def value(self, i):
        v = self.values[i] if i < len(self.values) else ""
        try:
            return ast.literal_eval(v) if v else None
        except (ValueError, SyntaxError):
            return v


# ---- 1: TraceLens ----


def norm_forward(c):
    """x, y, weights and running statistics that are there; theirs: six vectors of channels always."""
    size, n = SIZE[c.types[0]], c.n(0)
    if c.name == "aten::layer_norm":
        channels, weights, running = prod(c.value(1)), (2, 3), ()
    elif c.name == "aten::group_norm":
        channels, weights, running = c.dims[0][1], (2, 3), ()
    else:
        channels, weights, running = c.dims[0][1], (1, 2), (3, 4)
    ours = 2 * n * size + sum(c.bytes(i) for i in weights) + 2 * sum(c.bytes(i) for i in running)
    flop = 5 * n + 6 * channels
    return (flop, (2 * n + 6 * channels) * size), (flop, ours)


def norm_backward(c):
    """Theirs: weights by a guess, statistics as many as channels; ours: the tensors that are there."""
    back = {"aten::native_batch_norm_backward": (2, (5, 6), 9, 0), "aten::native_layer_norm_backward":
            (5, (3, 4), 7, 0), "aten::native_group_norm_backward": (4, (2, 3), 9, 0),
            "aten::miopen_batch_norm_backward": (2, (5, 6), None, 1)}
    weight, statistics, mask, is_swapped = back[c.name]
    size, n = SIZE[c.types[0]], c.n(0)
    grads = c.value(mask) if mask else [True, True, True]
    ours = 3 * n * size + c.bytes(weight) * (1 + grads[1] + grads[2])
    ours += sum(c.bytes(i) for i in statistics)
    if "layer" in c.name:
        channels = prod(c.value(2))
        vectors = 1 + (1 + 1 + grads[2] if grads[1] else 0)
    elif "group" in c.name:
        channels, vectors = c.dims[0][1] // int(c.value(8)), 4
    else:
        channels, vectors = c.dims[0][1], 4
    theirs = 9 * n, (3 * n + vectors * channels) * size
    if is_swapped:  # taken for inference, though its own assertion is that it is training
        theirs = 4 * n + 3 * channels, (2 * n + channels) * size
    return theirs, (9 * n, ours)


def rms(c):
    size, n = SIZE[c.types[0]], c.n(0)
    if c.name == "aten::_fused_rms_norm":
        width, has = prod(c.value(1)), c.is_tensor(2)
        each = lambda w: (3 + w) * n + 2 * (n // width)
        return (each(1), (2 * n + width) * size), (each(has), 2 * n * size + c.bytes(2))
    width, has = prod(c.value(2)), c.is_tensor(4)
    flop = lambda w, g: n * (1 + w + 6 + 2 * (w and g))
    mask = c.value(5)
    theirs = flop(1, mask[1]), (3 * n + 2 * width) * size
    return theirs, (flop(has, has and mask[1]), 3 * n * size + c.bytes(3) + 2 * c.bytes(4))


def reduction(c):
    """Theirs: dimensions are texts, which are passed over, so that one element comes out."""
    dims, size = c.dims[0], SIZE[c.types[0]]
    over = [d % len(dims) for d in c.value(1) or range(len(dims))]
    left = prod(d for i, d in enumerate(dims) if i not in over)
    return (c.n(0), (c.n(0) + 1) * size), (c.n(0), (c.n(0) + left) * size)


def widened(c):
    """torch sums whole numbers as long; theirs: in their own type."""
    n, size = c.n(0), SIZE[c.types[0]]
    return (n, 2 * n * size), (n, n * (size + 8))


def expanded(c):
    """What is read with stride 0 is stored once."""
    n = c.n(0)
    return ((n, n * (SIZE[c.types[0]] + SIZE[c.types[1]])),
            (n, n * SIZE[c.types[0]] + c.bytes(1)))


def pointwise_triton(c):
    """Theirs: what is written once more, as if it were not among the arguments."""
    tensors = sum(c.bytes(i) for i in range(len(c.dims)))
    n = int(c.values[-1])
    flop = {"triton_poi_fused__unsafe_view_mul_silu_2": 5, "triton_poi_fused__unsafe_view_add_3": 1,
            "triton_poi_fused_constant_pad_nd_moe_forward_0": 0}
    f = flop[c.name] * n
    return (f, tensors + n * SIZE[c.types[0]]), (f, tensors)


def float_triton(c):
    """Theirs: float has no size, among the arguments and as what is written."""
    return (0, sum(c.bytes(i) for i in range(len(c.dims)) if c.types[i] != "float")), (
        0, sum(c.bytes(i) for i in range(len(c.dims))))


def truths(c):
    """Theirs: the size of bool is not known."""
    n = c.n(0)
    return (n, None), (n, 2 * n)


RULES = (
    ("norm: weights and statistics as they are", norm_forward,
     ("aten::batch_norm", "aten::layer_norm", "aten::group_norm", "aten::instance_norm")),
    ("norm backward: weights and statistics as they are", norm_backward,
     ("aten::native_batch_norm_backward", "aten::native_layer_norm_backward",
      "aten::native_group_norm_backward", "aten::miopen_batch_norm_backward")),
    ("rms norm: weights and statistics as they are", rms,
     ("aten::_fused_rms_norm", "aten::_fused_rms_norm_backward")),
    ("reduction: dimensions", reduction, ("aten::mean", "aten::sum")),
    ("whole numbers are summed as long", widened, ("aten::cumsum",)),
    ("expanded tensor", expanded, ("aten::copy_",)),
    ("bool has a size", truths, ("aten::copy_",)),
    ("triton: what is written is an argument", pointwise_triton,
     ("triton_poi_fused__unsafe_view_mul_silu_2", "triton_poi_fused__unsafe_view_add_3",
      "triton_poi_fused_constant_pad_nd_moe_forward_0")),
    ("triton: float has a size", float_triton, ("triton_poi_fused__to_copy_1",)),
)


def whole(text, unit):
    if not text:
        return None
    v = float(text) * unit
    if abs(v - round(v)) > 1e-6 * max(1.0, v / 1e9):
        fail(f"golden figure {text} is no whole number")
    return round(v)


def explained(c, theirs, ours):
    for reason, rule, names in RULES:
        if c.name not in names:
            continue
        try:
            want_theirs, want_ours = rule(c)
        except (KeyError, TypeError, ValueError, IndexError):
            continue
        if want_theirs == theirs and want_ours == ours:
            return reason
    return None


def memset_ns(events):
    return sum(e["dur"] for e in events if e.get("ph") == "X" and e.get("cat") == "gpu_memset") * 1000


def compare_times(where, theirs, mine, events):
    want = sum(float(r["kernel_us_sum"]) for r in theirs) * 1000
    got = sum(r["busy_ns"] for r in mine)
    calls = sum(int(r["calls"]) for r in theirs)
    if calls != sum(r["calls"] for r in mine):
        fail(f"{where}: calls {sum(r['calls'] for r in mine)}, TraceLens {calls}")
    if abs(got - want) <= 1e-3 * want + 2:
        count["times equal"] += 1
    elif 0 < got - want <= memset_ns(events):
        count["times explained"] += 1
        reasons["time: sets of memory are device work"] += 1
    else:
        fail(f"{where}: {got} ns, TraceLens {want}")


def compare_rates(where, mine):
    for r in mine:
        rate = r["call_flop"] * r["calls"] / r["busy_ns"] / 1000
        moved = r["call_bytes"] * r["calls"] / r["busy_ns"] * 1e9
        if not (math.isclose(rate, r["tflop_per_s"], rel_tol=1e-9, abs_tol=1e-12) and
                math.isclose(moved, r["bytes_per_s"], rel_tol=1e-9)):
            fail(f"{where}: rates {r['tflop_per_s']} {r['bytes_per_s']}, not {rate} {moved}")


def compare_row(name, events, mine, r, rows):
    dims, types = (json.loads(json.dumps(ast.literal_eval(r[k]))) for k in ("input_dims", "input_types"))
    strides, values = (json.loads(json.dumps(ast.literal_eval(r[k])))
                       for k in ("input_strides", "concrete_inputs"))
    where = f"{name}: {r['op']} {dims}"
    theirs = whole(r["gflop"], 1e9), whole(r["mib_moved"], 2**20)
    got = mine.get(key_of(r["op"], dims, types))
    if theirs == (None, None):
        count["known to traceq alone" if got and got[0]["call_flop"] is not None else
              "known to neither"] += 1
        return
    count["compared"] += 1
    if not got:
        if not r["op"].startswith("pseudo_op::moe_") or any(e.get("name") == r["op"] and args_of(e)[0] == dims for e in events):
            fail(f"{where}: not known")
        count["explained"] += 1
        reasons["experts: weights that are not among the arguments are guessed"] += 1
        return
    pairs = {(m["call_flop"], m["call_bytes"]) for m in got}
    if theirs in pairs:
        count["equal"] += 1
    else:
        call = Call(r["op"], dims, types, strides, values)
        reason = next(filter(None, (explained(call, theirs, p) for p in pairs)), None)
        if not reason:
            fail(f"{where}: {sorted(pairs, key=str)}, TraceLens {theirs}")
            return
        count["explained"] += 1
        reasons[reason] += 1
    compare_rates(where, [m for m in got if m["call_bytes"] is not None])
    compare_times(where, rows, got, events)


def capture_of(path):
    """The trace of the capture beside a trace of replays."""
    beside = path.replace("_exec.", "_capture.")
    return ["--capture", beside] if beside != path and os.path.exists(beside) else []


def compare_golden():
    for path in sorted(glob.glob(os.path.join(GOLDEN, "*.tsv"))):
        name = os.path.basename(path)[:-4]
        trace = os.path.join(TRACES, name + ".json.gz")
        events = events_of(trace, float)
        mine = collections.defaultdict(list)
        for r in answer(trace, *capture_of(trace))["ops"]["rows"]:
            if r["dims"]:
                mine[key_of(r["name"], json.loads(r["dims"]), json.loads(r["types"]))].append(r)
        with open(path, newline="") as f:
            golden = list(csv.DictReader(f, delimiter="\t"))
        same = collections.defaultdict(list)
        for r in golden:
            same[r["op"], r["input_dims"], r["input_types"]].append(r)
        for r in golden:
            if r["input_dims"]:
                compare_row(name, events, mine, r,
                            same[r["op"], r["input_dims"], r["input_types"]])


# ---- 2: sums ----

DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset"}


def ns(v):
    return round(v * 1000)


def union(spans):
    total, end = 0, None
    for a, b in sorted(spans):
        if end is None or a > end:
            total, end = total + b - a, b
        elif b > end:
            total, end = total + b - end, b
    return total


def check_sums(path, events, tables):
    spans = collections.defaultdict(list)
    for e in events:
        if e.get("ph") == "X" and str(e.get("cat")).lower() in DEVICE:
            a = e.get("args", {})
            spans[a.get("device", e["pid"])].append((ns(e["ts"]), ns(e["ts"]) + ns(e["dur"])))
    if not spans:
        return
    busy = sum(union(s) for s in spans.values())
    cover = tables["coverage"]
    own = sum(r["own_ns"] for r in tables["ops"]["rows"])
    parts = [r["own_ns"] for r in cover["rows"]]
    total = cover["footer"][0]["own_ns"] if cover.get("footer") else parts.pop()
    count["sums"] += 1
    # Absolute times of 2^61 ns do not fit a double: the reference is off by what it loses.
    near = abs(total - busy) <= (0 if max(b for s in spans.values() for _, b in s) < 2**52 else
                                 2000 * sum(map(len, spans.values())))
    if own != total or sum(parts) != total or not near:
        fail(f"{path}: ops {own}, parts {sum(parts)}, busy {total}, worked out {busy}")


def check_rows_of_steps(path, tables):
    """Of one format a row's utilisation is its operations over the peak in its GPU time."""
    peaks = [r for r in tables.get("peaks", {"rows": []})["rows"] if r["what"] == "matrix"]
    if len({r["dtype"] for r in peaks}) != 1:
        return
    for r in tables["steps"]["rows"] + tables["steps"]["footer"]:
        if r["mfu_ratio"] is None:
            continue
        for figure, flop in (("mfu_ratio", r["flop"]), ("hfu_ratio", r["flop"] + r["again_flop"])):
            want = flop / (peaks[0]["peak_tflop_per_s"] * 1e3 * r["gpu_ns"])
            count["utilisations"] += 1
            if abs(want - r[figure]) > 1e-6 * want:
                fail(f"{path}: step {r['what']}: {figure} {r[figure]}, by its columns {want}")


def check_mfu(path, tables):
    """Of one device and one format: operations over the peak, in the time that `idle` knows of."""
    peaks = [r for r in tables.get("peaks", {"rows": []})["rows"] if r["what"] == "matrix"]
    whole = [r for r in tables["steps"]["rows"] if r["what"] == "whole" and r["mfu_ratio"]]
    if len(peaks) != 1 or len(whole) != 1:
        return
    p = subprocess.run([TRACEQ, "idle", path, "--json", "-q"], stdout=subprocess.PIPE, check=True)
    idle = next(t for t in json.loads(p.stdout)["tables"] if t["id"] == "devices")["rows"][0]
    known = whole[0]["step_ns"] - (idle["unrecorded_ns"] or 0)
    mfu = whole[0]["flop"] / (peaks[0]["peak_tflop_per_s"] * 1e3 * known)
    count["utilisations"] += 1
    if abs(mfu - whole[0]["mfu_ratio"]) > 1e-9:
        fail(f"{path}: MFU {whole[0]['mfu_ratio']}, worked out {mfu}")


# ---- 3: from the raw events ----

UNARY = {"aten::" + n for n in "neg abs relu silu gelu sigmoid tanh sqrt rsqrt exp log sin cos".split()}
BINARY = {"aten::" + n for n in "add sub mul div eq ne lt le gt ge maximum minimum".split()}
TRUTH = {"aten::" + n for n in "eq ne lt le gt ge".split()}


def product(c):
    at = {"aten::mm": (0, 1, None), "aten::bmm": (0, 1, None), "aten::addmm": (1, 2, 0),
          "aten::baddbmm": (1, 2, 0)}[c.name]
    a, b = c.dims[at[0]], c.dims[at[1]]
    out = prod(a[:-1]) * b[-1]
    size = SIZE[c.types[at[0]]]
    flop = 2 * out * a[-1] + (out if at[2] is not None else 0)
    return flop, (c.stored(at[0]) + c.stored(at[1]) + out) * size + (
        c.bytes(at[2]) if at[2] is not None else 0)


def shape_of(*shapes):
    n = max(map(len, shapes))
    padded = [[1] * (n - len(s)) + s for s in shapes]
    return [max(p[i] for p in padded) if all(p[i] for p in padded) else 0 for i in range(n)]


def promoted(c):
    a, b = c.types[0], c.types[1]
    if b == "Scalar":
        v = str(c.values[1]) if len(c.values) > 1 else "0"
        b = "double" if "." in v or "e" in v or "n" in v else "long int"
    dims = [c.dims[0], c.dims[1] if c.types[1] != "Scalar" else []]
    if KIND[a] == KIND[b]:
        if bool(dims[0]) != bool(dims[1]):
            return a if dims[0] else b
        return max(a, b, key=SIZE.get)
    higher, shape = (a, dims[0]) if KIND[a] > KIND[b] else (b, dims[1])
    if not shape and (dims[0] or dims[1]) and KIND[higher] == 2:
        return "float"
    return higher


def pointwise(c):
    name = c.name.rstrip("_") if c.name.endswith("_") else c.name
    if name in UNARY:
        return c.n(0), c.bytes(0) + c.n(0) * SIZE[c.types[0]]
    out = prod(shape_of(c.dims[0], c.dims[1]))
    kind = promoted(c)
    if c.name.endswith("_"):
        size = SIZE[c.types[0]]
    elif name in TRUTH:
        size = 1
    else:
        size = 4 if name == "aten::div" and KIND[kind] < 2 else SIZE[kind]
    return out, c.bytes(0) + c.bytes(1) + out * size


def half(c):
    """cuDNN's halves of a convolution's backward, of the arguments (x, dy, w) of their caller."""
    return (2 * prod(c.dims[1]) * prod(c.dims[2][1:]),
            sum(prod(c.dims[i]) for i in range(3)) * SIZE[c.types[0]])


def worked_out(c):
    name = c.name.rstrip("_")
    if c.name in ("aten::mm", "aten::bmm", "aten::addmm", "aten::baddbmm"):
        return product(c)
    if name in UNARY or name in BINARY:
        return pointwise(c)
    if c.name == "aten::copy_":
        return c.n(0), c.n(0) * SIZE[c.types[0]] + c.bytes(1)
    if c.name.startswith("aten::cudnn_convolution_backward_"):
        return half(c)
    if c.name in ("aten::threshold_backward", "aten::sigmoid_backward", "aten::tanh_backward"):
        return c.n(0), c.bytes(0) + c.bytes(1) + c.n(0) * SIZE[c.types[0]]
    if c.name in ("aten::embedding", "aten::index_select"):
        width = c.dims[0][1]
        index = 1 if c.name == "aten::embedding" else 2
        if len(c.dims[0]) != 2 or (c.name == "aten::index_select" and c.value(1) != 0):
            return None
        n = c.n(index) * width
        return 0, (min(n, c.n(0)) + n) * SIZE[c.types[0]] + c.bytes(index)
    return None


def args_of(e):
    a = e.get("args", {})
    return (a.get("Input Dims", a.get("Input dims")), a.get("Input type"), a.get("Input Strides"),
            a.get("Concrete Inputs"))


def check_raw(path, events, tables):
    of = collections.defaultdict(set)
    for e in events:
        if e.get("ph") != "X" or not str(e.get("name")).startswith("aten::"):
            continue
        dims, types, strides, values = args_of(e)
        if not dims:
            continue
        name = e["name"]
        names = [name]
        if name == "aten::cudnn_convolution_backward":
            names = [name + "_input", name + "_weight"]
        for n in names:
            try:
                w = worked_out(Call(n, dims, types, strides, values))
            except (KeyError, TypeError, IndexError):
                w = None
            if w:
                of[key_of(n, dims, types)].add(w)
    for r in tables["ops"]["rows"]:
        if not r["dims"] or r["is_kernel"]:
            continue
        want = of.get(key_of(r["name"], json.loads(r["dims"]), json.loads(r["types"])))
        if want is None:
            continue
        count["worked out"] += 1
        if (r["call_flop"], r["call_bytes"]) not in want:
            fail(f"{path}: {r['name']} {r['dims']} {r['types']}: {r['call_flop']} {r['call_bytes']}, "
                 f"worked out {sorted(want)}")


# ---- 4: Winograd ----

CONVOLUTIONS = ("aten::convolution", "aten::cudnn_convolution_backward_input",
                "aten::cudnn_convolution_backward_weight")
LESS = (("winograd_nonfused", 4), ("winograd", 2.25))


def check_winograd(path, events, tables):
    """By (op, shapes) the factors of its calls: rows with one have that share."""
    complete = [e for e in events if e.get("ph") == "X"]
    kernels = {}
    for e in complete:
        if str(e.get("cat")).lower() == "kernel":
            kernels.setdefault(e["args"].get("correlation"), []).append(e["name"])
    launches, ops = collections.defaultdict(list), collections.defaultdict(list)
    for e in complete:
        correlation = (e.get("args") or {}).get("correlation")
        if "LaunchKernel" in e["name"] and correlation in kernels:
            launches[e["tid"]].append((float(e["ts"]), kernels[correlation]))
        elif e["name"] in CONVOLUTIONS or e["name"] == "aten::cudnn_convolution_backward":
            ops[e["tid"]].append((float(e["ts"]), float(e["ts"]) + float(e["dur"]), e))
    factors = collections.defaultdict(set)
    for tid, found in ops.items():
        at = sorted(launches[tid])
        for begin, end, e in found:
            if e["name"] not in CONVOLUTIONS:
                continue
            caller = e
            if e["name"] != "aten::convolution":
                caller = [o for b, x, o in found if o["name"] == "aten::cudnn_convolution_backward"
                          and b <= begin and end <= x][0]
            names = [n for ts, many in at[bisect.bisect_left(at, (begin,)):
                                          bisect.bisect_right(at, (end, ["~"]))] for n in many]
            dims = json.dumps(args_of(caller)[0])
            if names:
                factors[e["name"], dims].add(
                    next((f for word, f in LESS if any(word in n for n in names)), 1))
    peaks = {r["what"] if r["dtype"] is None else r["dtype"]: r for r in tables["peaks"]["rows"]
             if r["what"] != "vector"} if "peaks" in tables else {}
    for r in tables["ops"]["rows"]:
        known = factors.get((r["name"], json.dumps(json.loads(r["dims"]))) if r["dims"] else None)
        if not known or len(known) > 1 or r["roof_ratio"] is None or r["dtype"] not in peaks:
            continue
        less = known.pop()
        seconds = max(r["call_flop"] / less / 1e12 / peaks[r["dtype"]]["peak_tflop_per_s"],
                      r["call_bytes"] / peaks["memory"]["peak_bytes_per_s"])
        want = seconds * 1e9 * r["calls"] / r["busy_ns"]
        count["shares of convolutions"] += 1
        count["by Winograd"] += less > 1
        if abs(want / r["roof_ratio"] - 1) > 1e-6 or (less > 1) != bool(r["algorithm"]):
            fail(f"{path}: {r['name']} {r['dims']}: {r['roof_ratio']} of the roof, "
                 f"{r['algorithm']}, worked out {want}, {less} times less")


# ---- 5: coverage ----

# The least share of device time of which operations and bytes are known, and what the rest is.
FLOORS = {
    "hta_amd_mi250": 0.7,  # copies from and to the host
    "hta_backward_thread": 0.99,
    "hta_timeline_rank0": 0.15,  # collectives 72 %, embedding tables 8 %
    "hta_trace_diff_control": 0.28,  # collectives 41 %, host copies 11 %, embedding tables 10 %
    "hta_trace_diff_test": 0.15,  # collectives 33 %, compiled functions 30 %, embedding tables 7 %
    "hta_trace_filter_rank1": 0.13,  # collectives 65 %, embedding tables 17 %
    "hta_triton": 0.99,
    "tb_resnet50_nw0_a": 0.9,  # whether batch norms trained is not said
    "tb_resnet50_nw4_a": 0.9,
    "tl_h100_bert": 0.98,
    "tl_h100_qwen": 0.68,  # 30 % below no op
    "tl_mi300_qwen": 0.68,  # 31 % below no op
    "tl_norm_layer": 0.99,
    "tl_sglang_prefilldecode": 0.99,
    "tl_triton": 0.99,
    "tl_vllm_piecewise_capture": 0.6,  # attention without lengths
    "tl_vllm_piecewise_exec": 0.19,  # experts, whose weights are no arguments, 80 %
}
# Above this share of device time a formula is missing.
LACKING = {"hta_trace_diff_test": 0.32}
LACKING_ELSEWHERE = 0.03


def check_coverage(path, tables):
    name = os.path.basename(path).split(".")[0]
    share = {r["what"]: r["share_ratio"] for r in tables["coverage"]["rows"]}
    has_shapes = any(r["dims"] and json.loads(r["dims"]) for r in tables["ops"]["rows"])
    if has_shapes != (name in FLOORS):
        fail(f"{path}: {'no floor of coverage' if has_shapes else 'its shapes are not found'}")
        return
    if share.get("known", 0) < FLOORS.get(name, 0):
        fail(f"{path}: {share.get('known', 0):.3f} of the time is known, not {FLOORS[name]}")
    lacking = share.get("no formula for this op", 0) + share.get(
        "its arguments are not those of the formula", 0)
    if lacking > LACKING.get(name, LACKING_ELSEWHERE):
        fail(f"{path}: formulas are missing for {lacking:.3f} of the time")
    count["floors"] += has_shapes


def main():
    if not os.path.isdir(TRACES):
        print("skip roofline: no real traces (SHARED)")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    compare_golden()
    for path in sorted(glob.glob(os.path.join(TRACES, "*.json*"))):
        tables = answer(path, *capture_of(path))
        if "ops" in tables:
            events = events_of(path, float)
            check_coverage(path, tables)
            check_sums(path, events, tables)
            check_mfu(path, tables)
            check_rows_of_steps(path, tables)
            check_raw(path, events, tables)
            check_winograd(path, events, tables)
    for text in failures[:40]:
        print(text)
    print("roofline:", ", ".join(f"{n} {what}" for what, n in sorted(count.items())))
    for reason, n in sorted(reasons.items()):
        print(f"  explained {n}: {reason}")
    if count["compared"] != count["equal"] + count["explained"] or count["equal"] < 90 or \
            count["worked out"] < 500 or count["by Winograd"] < 20 or count["floors"] < len(FLOORS):
        fail("too few rows compared")
        print(failures[-1])
    checked = sum(count[w] for w in ("compared", "worked out", "times equal", "sums", "floors"))
    print(f"{checked} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


sys.exit(main())
