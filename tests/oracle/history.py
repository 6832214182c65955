#!/usr/bin/env python3
"""Finds the change points of generated histories again, by brute force over every split and every end
of the right side, and compares levels, tests and the newest run's z with gate --history."""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
ALPHA, WINDOW, LEAST = 0.001, 50, 0.01
passed = 0
failures = []


def expect(where, got, want):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{where}: {got!r}, not {want!r}")


def near(where, got, want, tolerance=1e-6):
    global passed
    if got is not None and want is not None and abs(got - want) <= tolerance * max(1e-30, abs(want)):
        passed += 1
    elif got is None and want is None:
        passed += 1
    else:
        failures.append(f"{where}: {got!r}, not {want!r}")


def mean(v):
    return sum(v) / len(v)


def t_tail(t, df):
    """Two-sided, by the series for whole degrees of freedom (Abramowitz and Stegun 26.7.3, 26.7.4)."""
    theta = math.atan(abs(t) / math.sqrt(df))
    c2 = math.cos(theta) ** 2
    if df == 1:
        a = 2 * theta / math.pi
    elif df % 2:
        term = total = math.cos(theta)
        for k in range(3, df - 1, 2):
            term *= c2 * (k - 1) / k
            total += term
        a = 2 / math.pi * (theta + math.sin(theta) * total)
    else:
        term = total = 1.0
        for k in range(2, df - 1, 2):
            term *= c2 * (k - 1) / k
            total += term
        a = math.sin(theta) * total
    return 1 - a


def p_of(left, right):
    df = len(left) + len(right) - 2
    if df < 1:
        return 1.0
    a, b = mean(left), mean(right)
    ss = sum((x - a) ** 2 for x in left) + sum((x - b) ** 2 for x in right)
    se = math.sqrt(ss / df * (1 / len(left) + 1 / len(right)))
    if se == 0:
        return 1.0 if a == b else 0.0
    return t_tail((b - a) / se, df)


def q_of(x, y):
    n, m = len(x), len(y)
    q = 2 / (n + m) * sum(abs(a - b) for a in x for b in y)
    if n > 1:
        q -= 2 * m / ((n + m) * (n - 1)) * sum(abs(x[i] - x[k]) for i in range(n) for k in range(i))
    if m > 1:
        q -= 2 * n / ((n + m) * (m - 1)) * sum(abs(y[i] - y[k]) for i in range(m) for k in range(i))
    return q


def best(v):
    """(at, q) of the best split, or None."""
    found = None
    for at in range(1, len(v)):
        for to in range(at + 1, len(v) + 1):
            q = q_of(v[:at], v[at:to])
            if found is None or q > found[1]:
                found = (at, q)
    return found


def split(v):
    """Splits while the best split is significant at ten times alpha."""
    points = []
    while True:
        edges = [0] + points + [len(v)]
        found = []
        for a, b in zip(edges, edges[1:]):
            s = best(v[a:b])
            if s:
                found.append((s[1], a + s[0], a, b))
        if not found:
            return points
        _, at, a, b = max(found, key=lambda f: f[0])
        if p_of(v[a:at], v[at:b]) > 10 * ALPHA:
            return points
        points = sorted(points + [at])


def windows(v, size):
    """Windows step by half of their size, or to the last point of the one before."""
    points, start = set(), 0
    while start < len(v):
        own = [start + at for at in split(v[start:start + size])]
        points |= set(own)
        start += size // 2
        if own:
            start = max(start, own[-1])
    return sorted(points)


def merge(v, points):
    while points:
        edges = [0] + points + [len(v)]
        judged = []
        for i, at in enumerate(points):
            left, right = v[edges[i]:at], v[at:edges[i + 2]]
            a, b = mean(left), mean(right)
            judged.append((p_of(left, right), max(abs(b / a - 1), abs(a / b - 1)), at))
        worst = max(judged)
        if worst[0] < ALPHA:
            worst = min(judged, key=lambda j: j[1])
            if worst[1] > LEAST:
                return points
        points = [p for p in points if p != worst[2]]
    return points


def median(v):
    v = sorted(v)
    n = len(v)
    return v[n // 2] if n % 2 else (v[n // 2 - 1] + v[n // 2]) / 2


def z_of(x, v):
    m = median(v)
    mad = median([abs(a - m) for a in v])
    return 0.6745 * (x - m) / mad


def compare(where, v, window=WINDOW):
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "h.csv")
        with open(path, "w") as f:
            f.write("date,value_ms\n" + "".join(f"d{i},{x!r}\n" for i, x in enumerate(v)))
        done = subprocess.run([TRACEQ, "gate", "--history", path, "--json", "-q",
                               "--window", str(window)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    tables = {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]}
    points = merge(v, windows(v, window))
    rows = tables["segments"]
    edges = [0] + points + [len(v)]
    expect(f"{where} levels", [r["from"] for r in rows], [f"d{a}" for a in edges[:-1]])
    if len(rows) != len(edges) - 1:
        return
    for i, r in enumerate(rows):
        a, b = edges[i], edges[i + 1]
        near(f"{where} median", r["median"], median(v[a:b]))
        if i:
            # The series cancels below 1e-9 or so.
            p = p_of(v[edges[i - 1]:a], v[a:b])
            near(f"{where} p", 1 + r["p"], 1 + p, 1e-9)
            near(f"{where} change", r["change_ratio"], mean(v[a:b]) / mean(v[edges[i - 1]:a]) - 1)
    # The newest against the level it stands on, which is two runs old at least.
    begin = max([a for a in edges[:-1] if a <= len(v) - 2])
    before = v[begin:-1][-40:]
    newest = tables["newest"][0]
    if len(before) >= 5 and newest["state"] == "pass":
        near(f"{where} z", newest["z"], z_of(v[-1], before))


def main():
    rng = random.Random(20)
    for case in range(14):
        levels = [rng.choice([60, 61, 63, 66, 70]) for _ in range(rng.choice([1, 2, 3]))]
        v = []
        for level in levels:
            v += [round(level * (1 + rng.gauss(0, 0.012)), 4)
                  for _ in range(rng.randrange(6, 46 // len(levels)))]
        if len(v) >= 10:
            compare(f"case {case}, {len(v)} runs", v)
    for case in range(6):
        v = []
        for level in rng.sample([60, 61, 63, 66, 70, 75], 4):
            v += [round(level * (1 + rng.gauss(0, 0.012)), 4) for _ in range(rng.randrange(9, 30))]
        compare(f"windows {case}, {len(v)} runs", v, 20)


main()
for line in failures[:30]:
    print(line)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
