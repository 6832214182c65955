#!/usr/bin/env python3
"""`diff`: how much of a change is more work and how much is slower work, by other hands.

Pairs of small traces are drawn at random: products, additions and copies of several shapes, some calls
without shapes, kernels of a call on two streams at once, steps that do not count, ranks.  From the events
alone the work of each call (FLOP and bytes, by the formulas' own definitions), the union of its kernels and
the split (docs/definitions.md, "More work or slower work") are worked out again, logarithms with 40 digits.
On pairs of real traces the parts have to add up and to change their sign with the sides, and digests have to
say the same.
"""
import decimal
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
SHARED = os.environ.get("SHARED", "../shared")
D = decimal.Decimal
decimal.getcontext().prec = 40
PAIRS = 24
STEP = 1_000_000
REAL = [("tb_resnet50_nw0_a", "tb_resnet50_nw4_a"), ("hta_trace_diff_control", "hta_trace_diff_test"),
        ("tl_h100_qwen", "tl_mi300_qwen"), ("tl_h100_bert", "tl_h100_qwen")]

passed = skipped = 0
failures = []


def expect(what, got, want):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{what}: traceq {got!r}, wanted {want!r}")


def near(what, got, want, off=1):
    global passed
    if got is not None and abs(got - want) <= off:
        passed += 1
    else:
        failures.append(f"{what}: traceq {got!r}, wanted {want!r}")


def ask(base, new, *more):
    done = subprocess.run([TRACEQ, "diff", base, new, "-n", "0", "--allow-env", "gpu", "--json", "-q", *more],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        failures.append(f"{base} {new}: exit {done.returncode}: {done.stderr.decode()}")
        return None
    tables = {t["id"]: t for t in json.loads(done.stdout)["tables"]}
    return tables.get("work")


# ---- drawing traces: a call is (op, its arguments or None, ns on one stream, ns on the other) ----

def shapes_of(op, n):
    if op == "aten::mm":
        return [[n, 64], [64, 32]], ["float", "float"]
    if op == "aten::bmm":
        return [[4, n, 16], [4, 16, 8]], ["c10::Half", "c10::Half"]
    if op == "aten::add":
        return [[n, 32], [n, 32], []], ["float", "float", "Scalar"]
    return [[n], [n], []], ["double", "double", "Scalar"]


def work_of(op, n):
    """FLOP and bytes of a call, and whether its op is one of matrix units."""
    if op == "aten::mm":
        return 2 * n * 64 * 32, 4 * (n * 64 + 64 * 32 + n * 32), True
    if op == "aten::bmm":
        return 2 * 4 * n * 16 * 8, 2 * 4 * (n * 16 + 16 * 8 + n * 8), True
    if op == "aten::add":
        return n * 32, 3 * 4 * n * 32, False
    return n, 2 * 8 * n, False


def draw_side(rng, ops):
    """Calls of a step."""
    calls = []
    for op, sizes in ops:
        for n in sizes:
            per_flop = rng.uniform(0.5, 2)
            for _ in range(rng.randint(1, 3)):
                ns = max(200, int(per_flop * work_of(op, n)[0 if op.endswith("mm") else 1] / 64))
                calls.append((op, n, ns, rng.choice([0, 0, ns // 2])))
    for _ in range(rng.choice([0, 0, 1, 2])):
        calls.append((rng.choice(["aten::add", "aten::relu6"]), None, rng.randint(500, 900), 0))
    rng.shuffle(calls)
    return calls


def draw_ops(rng):
    return [(op, rng.sample([32, 64, 128, 256, 512], rng.randint(1, 3)))
            for op in ["aten::mm", "aten::bmm", "aten::add", "aten::copy_"] if rng.random() < 0.8]


def write(path, rng, calls, steps, rank, world):
    """Writes it; returns of the counted steps: a list of (op, n, union ns)."""
    events, correlation, counted = [], itertools.count(1), []

    def event(cat, name, tid, at, ns, args):
        events.append({"ph": "X", "cat": cat, "name": name, "pid": 0 if cat == "kernel" else 9, "tid": tid,
                       "ts": at / 1000, "dur": ns / 1000, "args": args})

    for s in range(steps):
        event("user_annotation", f"ProfilerStep#{s}", 1, s * STEP, STEP - 1000, {})
        host, device = s * STEP + 1000, s * STEP + 100_000
        for op, n, first, second in calls + [("aten::mm", 32, 777, 0)] * (s == 0):
            first += rng.randint(0, 40)
            args = {}
            if n is not None:
                dims, types = shapes_of(op, n)
                args = {"Input Dims": dims, "Input type": types}
            event("cpu_op", op, 1, host, 2900, args)
            for stream, ns, late in [(7, first, 0), (20, second, first // 4)]:
                if ns == 0:
                    continue
                link = next(correlation)
                event("cuda_runtime", "cudaLaunchKernel", 1, host + 100 + 1000 * (stream == 20), 500,
                      {"correlation": link})
                event("kernel", f"k_{op[6:]}", stream, device + late, ns,
                      {"correlation": link, "device": 0, "stream": stream})
            union = max(first, first // 4 + second) if second else first
            if steps < 7 or 0 < s < steps - 1:  # set aside where five remain
                counted.append((op, n, union))
            device += union
            host += 3000
    document = {"deviceProperties": [{"id": 0, "name": "Frobnicator"}], "traceEvents": events}
    if world > 1:
        document["distributedInfo"] = {"rank": rank, "world_size": world}
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps(document))
    return counted


# ---- working it out again ----

def side_of(ranks, steps):
    """{op: {key: [calls, ns]}} per step of the mean rank; key: (n, flop, bytes), None for unknown."""
    out = {}
    for counted in ranks:
        for op, n, ns in counted:
            key = None if n is None else (n, *work_of(op, n)[:2])
            at = out.setdefault(op, {}).setdefault(key, [D(0), D(0)])
            at[0] += D(1) / (steps * len(ranks))
            at[1] += D(ns) / (steps * len(ranks))
    return out


def mean(a, b):
    return a if abs(a - b) <= a * D("1e-30") else (b - a) / (b / a).ln()


def groups_of(base, new):
    """(work, time) of both sides by group, and what one side alone has."""
    both = [k for k in base if k in new and k is not None]
    for k in both:
        yield (base[k][0], base[k][1]), (new[k][0], new[k][1])
    rest = [[(k, v) for k, v in side.items() if k is not None and k not in both] for side in (base, new)]
    if not rest[0] and not rest[1]:
        return
    amounts = []
    for side in rest:
        calls = sum((v[0] for _, v in side), D(0))
        amounts.append((calls, sum((v[1] for _, v in side), D(0)), side))
    yield "rest", amounts


def split(op, base, new):
    """more work, slower, unknown and calls' part, unrounded; None: not known."""
    if not base or not new:
        delta = sum((v[1] for v in new.values()), D(0)) - sum((v[1] for v in base.values()), D(0))
        return delta, D(0), D(0), delta
    unknown = [side.get(None, [D(0), D(0)]) for side in (base, new)]
    if abs(unknown[0][0] - unknown[1][0]) > D("1e-9"):
        return None
    is_matrix = work_of(op, 1)[2] if op != "aten::relu6" else False
    worth, calls, more, slower = [D(0), D(0)], [D(0), D(0)], D(0), D(0)
    pairs = []
    for one in groups_of(base, new):
        if one[0] != "rest":
            pairs.append(one)
            calls = [calls[0] + one[0][0], calls[1] + one[1][0]]
            continue
        (c0, t0, a), (c1, t1, b) = one[1]
        calls = [calls[0] + c0, calls[1] + c1]
        if a and b:
            unit = 1 if is_matrix else 2
            pairs.append(tuple((sum((k[unit] * v[0] for k, v in side), D(0)), t) for side, t in ((a, t0), (b, t1))))
        else:
            worth = [worth[0] + t0, worth[1] + t1]
            more += t1 - t0
    for (f0, t0), (f1, t1) in pairs:
        level = mean(t0, t1)
        more += level * (f1 / f0).ln()
        slower += level * ((t1 / f1) / (t0 / f0)).ln()
        price = level / mean(f0, f1)
        worth = [worth[0] + f0 * price, worth[1] + f1 * price]
    if not calls[0] and not calls[1]:
        return None
    by_calls = more
    if worth[0] and worth[1]:
        by_calls = mean(*worth) * (calls[1] / calls[0]).ln()
    return more, slower, unknown[1][1] - unknown[0][1], by_calls


def check_sums(what, work):
    parts = ("more_work_ns", "slower_ns", "unknown_ns")
    for r in work["rows"]:
        expect(f"{what} {r['op']} parts", sum(r[p] or 0 for p in parts), r["delta_ns"])
        expect(f"{what} {r['op']} delta", (r["new_ns"] or 0) - (r["base_ns"] or 0), r["delta_ns"])
        if r["more_work_ns"] is not None:
            expect(f"{what} {r['op']} work", r["by_calls_ns"] + r["by_size_ns"], r["more_work_ns"])
    foot = work["footer"][0]
    for column in (*parts, "delta_ns", "base_ns", "new_ns"):
        expect(f"{what} sum {column}", sum(r[column] or 0 for r in work["rows"]), foot[column])


def check_rows(what, work, base, new):
    rows = {r["op"]: r for r in work["rows"]}
    expect(f"{what} ops", sorted(rows), sorted({*base, *new}))
    for op, row in rows.items():
        a, b = base.get(op, {}), new.get(op, {})
        near(f"{what} {op} base", row["base_ns"] or 0, sum((v[1] for v in a.values()), D(0)))
        near(f"{what} {op} new", row["new_ns"] or 0, sum((v[1] for v in b.values()), D(0)))
        want = split(op, a, b)
        if want is None:
            expect(f"{what} {op} not known", (row["more_work_ns"], row["slower_ns"], row["unknown_ns"]),
                   (None, None, row["delta_ns"]))
            continue
        for column, v in zip(("more_work_ns", "slower_ns", "unknown_ns", "by_calls_ns"), want):
            near(f"{what} {op} {column}", row[column] or 0, v, 2)
        for side, v in (("base", a), ("new", b)):
            for k, unit in ((1, "flop"), (2, "bytes")):
                amount = sum((key[k] * n[0] for key, n in v.items() if key), D(0))
                near(f"{what} {op} {side} {unit}", D(row[f"{side}_{unit}"] or 0), amount, amount * D("1e-12"))


def check_swapped(what, one, other):
    back = {r["op"]: r for r in other["rows"]}
    for r in one["rows"]:
        for column in ("delta_ns", "more_work_ns", "slower_ns", "unknown_ns", "by_calls_ns", "by_size_ns"):
            v, w = r[column], back[r["op"]][column]
            expect(f"{what} {r['op']} {column} back", w, None if v is None else -v)


def check_drawn(folder, seed):
    rng = random.Random(seed)
    world, sides, expected = rng.choice([1, 1, 2]), [], []
    ops = draw_ops(rng) or [("aten::mm", [64])]
    for side in ("base", "new"):
        steps = rng.randint(6, 8)
        path = os.path.join(folder, f"{seed}_{side}")
        os.mkdir(path)
        calls = draw_side(rng, ops)
        expected.append(side_of([write(os.path.join(path, f"rank{r}.json"), rng, calls, steps, r, world)
                                 for r in range(world)], steps - 2 * (steps >= 7)))
        sides.append(path)
        ops = ops if rng.random() < 0.3 else draw_ops(rng) or [("aten::bmm", [64])]
    work, back = ask(*sides), ask(*reversed(sides))
    what = f"pair {seed}"
    known = all(any(k for v in side.values() for k in v) for side in expected)
    if work is None or back is None:
        expect(f"{what} has no table", known, False)
        return
    check_sums(what, work)
    check_rows(what, work, *expected)
    check_swapped(what, work, back)


def check_real(folder):
    global skipped
    for pair in REAL:
        paths = [os.path.join(SHARED, "traces", f"{name}.json.gz") for name in pair]
        if not all(os.path.exists(p) for p in paths):
            skipped += 1
            continue
        work, back = ask(*paths), ask(*reversed(paths))
        what = " ".join(pair)
        expect(f"{what} has work", work is not None and back is not None, True)
        if work is None or back is None:
            continue
        check_sums(what, work)
        check_swapped(what, work, back)
        digests = [os.path.join(folder, f"{name}.tqd") for name in pair]
        for trace, digest in zip(paths, digests):
            if not os.path.exists(digest):
                subprocess.run([TRACEQ, "digest", trace, "-o", digest, "-q"], check=True, stdout=subprocess.DEVNULL)
        expect(f"{what} of digests", ask(*digests), work)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(PAIRS):
            check_drawn(folder, seed)
        check_real(folder)
    for f in failures[:40]:
        print(f)
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    sys.exit(1 if failures else 0)


main()
