#!/usr/bin/env python3
"""Quantiles of histograms that servers show Prometheus, by exact fractions.

Random buckets, counts and sums are written as a server does; what `info` says of each histogram is
held against PromQL's definition: the rank q x count lies in the first bucket that holds as many, evenly
spread from the bucket below (the first begins at 0), and of the last it is where that begins.
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

TRACEQ = os.environ["TRACEQ"]
QUANTILES = {"p50": Fraction(1, 2), "p90": Fraction(9, 10), "p95": Fraction(19, 20), "p99": Fraction(99, 100)}


def quantile(bounds, counts, q):
    rank = q * counts[-1]
    at = next(i for i, c in enumerate(counts) if c >= rank)
    if at == len(bounds):
        return bounds[-1]
    low, below = (bounds[at - 1], counts[at - 1]) if at else (Fraction(0), 0)
    return low + (bounds[at] - low) * (rank - below) / (counts[at] - below)


def main():
    rng = random.Random(39)
    lines, wanted = [], {}
    for number in range(60):
        name = f"h{number}_seconds"
        bounds = sorted({Fraction(rng.randint(1, 4000), 1000) for _ in range(rng.randint(1, 12))})
        counts, count = [], 0
        for _ in range(len(bounds) + 1):
            count += rng.choice([0, rng.randint(1, 1000)])
            counts.append(count)
        if count == 0:
            continue
        total = Fraction(rng.randint(1, 10**6), 1000)
        for bound, c in zip([str(float(b)) for b in bounds] + ["+Inf"], counts):
            lines.append(f'{name}_bucket{{le="{bound}"}} {c}.0')
        lines += [f"{name}_count {count}.0", f"{name}_sum {float(total)}"]
        wanted[name] = total / count
        for word, q in QUANTILES.items():
            wanted[f"{name} {word}"] = quantile(bounds, counts, q)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "metrics.prom")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        out = subprocess.run([TRACEQ, "info", path, "--json", "-n", "0"], capture_output=True, text=True, check=True)
    series = next(t for t in json.loads(out.stdout)["tables"] if t["id"] == "series")
    got = {row["series"]: row["latest"] for row in series["rows"]}
    wrong = [n for n, v in wanted.items() if not math.isclose(got.get(n, math.nan), float(v), rel_tol=1e-12)]
    for name in wrong:
        print(f"FAIL {name}: {got.get(name)} instead of {float(wanted[name])}")
    print(f"{len(wanted) - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
