#!/usr/bin/env python3
"""Joules of `smi`: traces of known power are drawn, sampled as nvidia-smi does, and asked about.

Each kind of work draws a power of its own (matmul 700 W, softmax 350 W, nothing 90 W), so that what
every step and family took is known; samples are taken every 10, 20 or 50 ms, in a local time.
Checked: the zone is found; parts add up to the device's energy to the last nJ; every figure equals
what the trapezoid rule gives by exact fractions, to some nJ; and what was really drawn is within the
error that is stated beside it, wherever the power stayed among the samples next to each interval, as
the error takes for granted.
"""
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

TRACEQ = os.environ["TRACEQ"]
POWER = {"sm90_gemm": 700, "softmax_kernel": 350, None: 90}
WORDS = {"sm90_gemm": "matmul", "softmax_kernel": "softmax", None: "idle"}
EPOCH = 1764504000 * 10**9  # 2025-11-30 12:00:00 UTC
ZONE = 9
STEPS = 12
MS = 10**6

failures = []
passed = 0
unbelieved = 0


def expect(what, holds):
    global passed
    if holds:
        passed += 1
    else:
        failures.append(what)


def draw_work(rng):
    """[(start, end, kernel)] in us from 1 s on, gaps between them; and the steps' edges."""
    work, edges, at = [], [], 1000000
    for step in range(STEPS):
        edges.append(at)
        for _ in range(rng.randrange(3, 12)):
            dur = rng.randrange(30000, 400000)
            work.append((at, at + dur, rng.choice(["sm90_gemm", "softmax_kernel"])))
            at += dur + rng.choice([0, 0, rng.randrange(30000, 200000)])
    return work, edges + [at]


def write_trace(path, work, edges):
    events, flow = [], 0
    for i in range(STEPS):
        events.append(f'{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{i}","pid":1,"tid":1,'
                      f'"ts":{edges[i]},"dur":{edges[i + 1] - edges[i]}}}')
    for start, end, name in work:
        flow += 1
        events += [
            f'{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{start},'
            f'"dur":0,"args":{{"correlation":{flow}}}}}',
            f'{{"ph":"X","cat":"kernel","name":"{name}","pid":0,"tid":7,"ts":{start},'
            f'"dur":{end - start},"args":{{"device":0,"stream":7,"correlation":{flow}}}}}']
    with open(path, "w", encoding="ascii") as f:
        f.write(f'{{"schemaVersion":1,"baseTimeNanoseconds":{EPOCH},"traceEvents":['
                + ",".join(events) + "]}")


def pieces(work, end):
    """[(start, end, kernel or None)] in ns, without holes, from 0 to `end` us."""
    out, at = [], 0
    for start, stop, name in work:
        if start > at:
            out.append((at * 1000, start * 1000, None))
        out.append((start * 1000, stop * 1000, name))
        at = stop
    return out + [(at * 1000, end * 1000, None)]


def watts_at(parts, t):
    return next(POWER[n] for a, b, n in parts if a <= t < b)


def write_samples(path, parts, every, last):
    """Every `every` ms up to `last`; [(ns, W)]."""
    samples = [(t, watts_at(parts, t)) for t in range(every * MS // 2, last, every * MS)]
    with open(path, "w", encoding="ascii") as f:
        f.write("timestamp, index, utilization.gpu [%], power.draw [W]\n")
        for t, watts in samples:
            when = datetime.datetime(2025, 11, 30, 12 + ZONE) + datetime.timedelta(
                milliseconds=t // MS)
            f.write(f"{when:%Y/%m/%d %H:%M:%S}.{when.microsecond // 1000:03}, 0, 99 %, "
                    f"{watts}.00 W\n")
    return samples


def drawn(parts, begin, end, name=0):
    """nJ really drawn in [begin, end) by `name`; 0: by all."""
    return sum((min(b, end) - max(a, begin)) * POWER[n] for a, b, n in parts
               if min(b, end) > max(a, begin) and name in (0, n))


def trapezoid(samples, begin, end):
    total = Fraction(0)
    for (t0, w0), (t1, w1) in zip(samples, samples[1:]):
        a, b = max(begin, t0), min(end, t1)
        if a >= b:
            continue
        slope = Fraction(w1 - w0, t1 - t0)
        total += (w0 + slope * (a - t0) + w0 + slope * (b - t0)) * (b - a) / 2
    return total


def believed(samples, parts, begin, end):
    """Whether power stays among two samples on either side, in all intervals of [begin, end)."""
    for i, (t, _) in enumerate(samples[:-1]):
        if samples[i + 1][0] <= begin or t >= end:
            continue
        near = [w for _, w in samples[max(i - 1, 0):i + 3]]
        for a, b, name in parts:
            if a < samples[i + 1][0] and b > t and not min(near) <= POWER[name] <= max(near):
                return False
    return True


def within(what, row, joules, is_believed):
    global unbelieved
    unbelieved += not is_believed
    if is_believed:
        expect(what, abs(row["energy_nj"] - joules) <= row["error_nj"] + 1)


def check(folder, rng, every):
    work, edges = draw_work(rng)
    last = edges[-1] + 2000000
    parts = pieces(work, last)
    where = f"every {every} ms"
    write_trace(f"{folder}/trace.json", work, edges)
    samples = write_samples(f"{folder}/gpu.csv", parts, every, last * 1000)
    done = subprocess.run([TRACEQ, "smi", folder, "--json", "-q"],
                          stdout=subprocess.PIPE, check=False)
    answer = json.loads(done.stdout)
    tables = {t["id"]: t["rows"] for t in answer["tables"]}
    notes = {n["id"]: n["text"] for n in answer["notes"]}
    expect(f"{where}: zone", f"UTC+0{ZONE}:00" in notes["energy_clock"])
    whole = tables["energy"][0]
    begin, end = edges[0] * 1000, edges[-1] * 1000
    expect(f"{where}: whole", abs(whole["energy_nj"] - trapezoid(samples, begin, end)) <=
           len(samples))
    all_believed = believed(samples, parts, begin, end)
    within(f"{where}: what was drawn", whole, drawn(parts, begin, end), all_believed)
    expect(f"{where}: work and idle", whole["work_nj"] + whole["idle_nj"] == whole["energy_nj"])
    by = {r["what"]: r for r in tables["energy_parts"]}
    expect(f"{where}: parts", set(by) == set(WORDS.values()))
    expect(f"{where}: parts add up", sum(r["energy_nj"] for r in by.values()) ==
           whole["energy_nj"])
    expect(f"{where}: times add up", sum(r["time_ns"] for r in by.values()) == whole["seen_ns"])
    for name, word in WORDS.items():
        row = by[word]
        own = [(max(a, begin), min(b, end)) for a, b, n in parts
               if n == name and min(b, end) > max(a, begin)]
        expect(f"{where}: {word}", abs(row["energy_nj"] - sum(trapezoid(samples, a, b)
                                                            for a, b in own))
               <= len(samples) + len(own))
        expect(f"{where}: time of {word}", row["time_ns"] == sum(b - a for a, b in own))
        within(f"{where}: what {word} drew", row, drawn(parts, begin, end, name), all_believed)
    expect(f"{where}: steps", len(tables["energy_steps"]) == STEPS)
    for i, row in enumerate(tables["energy_steps"]):
        a, b = edges[i] * 1000, edges[i + 1] * 1000
        expect(f"{where}: step {i}", abs(row["energy_nj"] - trapezoid(samples, a, b)) <=
               len(samples))
        within(f"{where}: what step {i} drew", row, drawn(parts, a, b),
               believed(samples, parts, a, b))
    return whole["error_nj"] / whole["energy_nj"]


def main():
    errors = []
    for every in (10, 20, 50):
        for seed in range(4):
            with tempfile.TemporaryDirectory() as folder:
                errors.append(check(folder, random.Random(f"{every} {seed}"), every))
    expect("finer samples, smaller errors", max(errors[:4]) < min(errors[8:]))
    expect("most figures can be checked", unbelieved < 0.1 * passed)
    for what in failures[:20]:
        print("FAIL", what)
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(bool(failures))


main()
