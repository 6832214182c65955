#!/usr/bin/env python3
"""What samples of hardware counters say of kernels and steps, by exact fractions.

Traces are drawn: kernels of two GPUs, counters of an interval each with pauses among them, power and
clocks of moments, from a time since 1970 and without one.  A counter's value holds until the next
sample (a usual interval where that is more than 1.5 of them away), power and clocks are the line
between two (nothing where that is more than 5).  Kernels shorter than the usual interval count
nowhere.  `kernels` and `roofline` have the means of that, and the share of time it is of.
"""
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from fractions import Fraction

TRACEQ = os.environ["TRACEQ"]
SM = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
COUNTERS = {  # key: (name, category, factor, whether it is a line)
    "sm_throughput_ratio": (SM, "hardware_counters", Fraction(1, 100), False),
    "dram_throughput_ratio": (SM.replace("sm_", "dram_"), "hardware_counters", Fraction(1, 100), False),
    "tensor_active_ratio": ("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
                            "hardware_counters", Fraction(1, 100), False),
    "achieved_occupancy_ratio": ("sm__warps_active.avg.pct_of_peak_sustained_active",
                                 "hardware_counters", Fraction(1, 100), False),
    "mean_w": ("power (W)", "nvml", 1, True),
    "clock_hz": ("SM clock (MHz)", "nvml", 10**6, True),
}
failures = []
passed = 0


def same(what, got, want, off=1e-9):
    """off: NVML's times are seconds since 1970 as doubles, to some 0.2 us."""
    global passed
    if (got is None) != (want is None) or (want is not None and
                                           abs(got - float(want)) > off * max(1, abs(float(want)))):
        failures.append(f"{what}: {got!r}, not {want and float(want)!r}")
    else:
        passed += 1


def draw(rng):
    """Kernels [(device, start, end, name)] and samples {(device, key): [(t, value)]}, in us."""
    kernels, samples = [], {}
    for device in range(2):
        at = 1000
        for _ in range(rng.randrange(3, 30)):
            at += rng.choice([0, rng.randrange(1, 80)])
            dur = rng.choice([rng.randrange(5, 90), rng.randrange(100, 900)])
            kernels.append((device, at, at + dur, rng.choice("abc")))
            at += dur
        for key, (_, _, _, is_line) in COUNTERS.items():
            every, t, points = rng.choice([20, 100, 150]), rng.randrange(900, 1300), []
            while t < at and len(points) < 400:
                points.append((t, rng.randrange(0, 101) * (10 if is_line else 1)))
                t += every * rng.choice([1] * 9 + [2, 7])
            if rng.random() < 0.8 and (device == 0 or rng.random() < 0.7):
                samples[device, key] = points
    return kernels, samples


def write(path, kernels, samples, base):
    events = []
    for i, (device, start, end, name) in enumerate(kernels):
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9,
                       "ts": start, "dur": 0, "args": {"correlation": i + 1}})
        events.append({"ph": "X", "cat": "kernel", "name": name, "pid": device, "tid": 7, "ts": start,
                       "dur": end - start,
                       "args": {"device": device, "stream": 7, "correlation": i + 1}})
    for (device, key), points in samples.items():
        name, category, _, _ = COUNTERS[key]
        pid = f"GPU {device} Counters" if category == "hardware_counters" else device
        events += [{"ph": "C", "cat": category, "name": name, "pid": pid, "tid": 0, "ts": t,
                    "args": {"": v}} for t, v in points]
    with open(path, "w", encoding="ascii") as f:
        json.dump({"schemaVersion": 1, "traceEvents": events,
                   **({"baseTimeNanoseconds": base} if base else {})}, f)


def usual(points):
    return int(statistics.median(b[0] - a[0] for a, b in zip(points, points[1:])))


def pieces(points, is_line):
    """[(from, to, a, b)] of what is known."""
    out, every = [], usual(points)
    for i, (t, v) in enumerate(points):
        gap = points[i + 1][0] - t if i + 1 < len(points) else None
        if is_line:
            if gap is not None and gap <= 5 * every:
                out.append((t, t + gap, v, points[i + 1][1]))
        else:
            out.append((t, t + (gap if gap is not None and gap <= 1.5 * every else every), v, v))
    return out


def integral(known, begin, end):
    total, ns = Fraction(0), 0
    for t, stop, a, b in known:
        lo, hi = max(t, begin), min(stop, end)
        if lo < hi:
            slope = Fraction(b - a, stop - t)
            total += (2 * a + slope * (lo - t + hi - t)) * (hi - lo) / 2
            ns += hi - lo
    return total, ns


def means(samples, times):
    """Of [(device, begin, end)]: {key: mean}, and the time of which something is known."""
    total, ns, seen = {}, {}, 0
    for device, begin, end in times:
        most = 0
        for key, (_, _, _, is_line) in COUNTERS.items():
            points = samples.get((device, key), [])
            if len(points) < 2 or end - begin < usual(points):
                continue
            sums, of = integral(pieces(points, is_line), begin, end)
            total[key] = total.get(key, 0) + sums
            ns[key] = ns.get(key, 0) + of
            most = max(most, of)
        seen += most
    return {k: total[k] / ns[k] * COUNTERS[k][2] for k in total if ns[k]}, seen


def table(command, path, name):
    p = subprocess.run([TRACEQ, command, path, "--json", "-q", "-n", "0"], stdout=subprocess.PIPE,
                       check=True)
    return next((t["rows"] + t["footer"] for t in json.loads(p.stdout)["tables"] if t["id"] == name), [])


def check(what, row, want, seen, whole):
    same(f"{what} measured", row["measured_ratio"], Fraction(seen, whole), 1e-2)
    for key in COUNTERS:
        same(f"{what} {key}", row[key], want.get(key), 1e-2 if COUNTERS[key][3] else 1e-9)


def try_one(seed, path):
    rng = random.Random(seed)
    kernels, samples = draw(rng)
    write(path, kernels, samples, rng.choice([0, 1764504000 * 10**9]))
    by_name = {}
    for device, start, end, name in kernels:
        by_name.setdefault(name, []).append((device, start, end))
    rows = {r["name"]: r for r in table("kernels", path, "measured")}
    for name, times in by_name.items():
        want, seen = means(samples, times)
        if not seen:
            same(f"{seed}: row of {name}", 1 if name in rows else 0, 0)
            continue
        check(f"{seed}: {name}", rows[name], want, seen, sum(e - b for _, b, e in times))
    begin, end = min(k[1] for k in kernels), max(k[2] for k in kernels)
    steps = table("roofline", path, "measured")
    if len(steps) == 1:
        want, seen = means(samples, [(d, begin, end) for d in sorted({k[0] for k in kernels})])
        check(f"{seed}: whole", steps[0], want, seen, 2 * (end - begin))
    else:
        same(f"{seed}: steps", len(steps), 1 if any(len(p) > 1 for p in samples.values()) else 0)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(60):
            try_one(seed, os.path.join(folder, "t.json"))
    for f in failures[:20]:
        print("FAIL", f)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
