#!/usr/bin/env python3
"""Artifacts, read a second time with Python's own json and csv: counts, sums, extremes of every
series, and the sheets of batch sizes and operations, against what traceq info --json says."""
import csv
import io
import json
import math
import os
import re
import subprocess
import sys

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
passed = failed = 0


def fixture(name, *more):
    return subprocess.run([FIXTURES, "artifact", name, *more], stdout=subprocess.PIPE,
                          check=True).stdout


def info(data):
    out = subprocess.run([TRACEQ, "info", "--json", "-q", "-"], input=data,
                         stdout=subprocess.PIPE, check=True).stdout
    tables = {}
    for table in json.loads(out)["tables"]:
        tables.setdefault(table["id"], []).extend(table["rows"])
    return tables


def same(what, got, want):
    global passed, failed
    ok = got == want or (isinstance(want, float) and got is not None and
                         math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-12))
    passed += ok
    failed += not ok
    if not ok:
        print(f"{what}: {got}, not {want}")


def check_series(name, row, values):
    finite = [v for v in values if v is not None and math.isfinite(v)]
    same(f"{name} count", row["values"], len(finite))
    same(f"{name} missing", row["missing"] or 0, sum(v is None for v in values))
    same(f"{name} odd", row["not_finite"] or 0, len(values) - len(finite) -
         sum(v is None for v in values))
    if finite:
        same(f"{name} mean", row["mean"], math.fsum(finite) / len(finite))
        same(f"{name} min", row["min"], float(min(finite)))
        same(f"{name} max", row["max"], float(max(finite)))
        same(f"{name} last", row["latest"], float(finite[-1]))


def jsonl(name, *more):
    data = fixture(name, *more)
    want = {}
    for line in data.decode("utf-8-sig").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        group = row.get("phase", "")
        for key, value in row.items():
            if value is None or isinstance(value, (int, float)):
                want.setdefault((key, group), []).append(value)
    got = {(r["series"], r["group"] or ""): r for r in info(data)["series"]}
    same(f"{name} keys", sorted(got), sorted(want))
    for key, values in want.items():
        if key in got:
            check_series(f"{name} {key}", got[key], values)


def op_csv(name):
    """Cells from the right, as names may hold commas."""
    text = fixture(name).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    head, want = rows[0], {}
    scale = 1e6 if "ms" in head[1] else 1e3
    for row in rows[1:]:
        tail = row[len(row) - len(head) + 1:]
        op = ",".join(row[:len(row) - len(head) + 1])
        sums = want.setdefault(op, [0.0] * (len(head) - 1))
        for i, cell in enumerate(tail):
            sums[i] += float(cell)
    got = {r["name"]: r for r in info(text.encode())["sheet_ops"]}
    same(f"{name} names", sorted(got), sorted(want))
    columns = {"Self CPU Time": "self_cpu_ns", "CPU Time": "cpu_total_ns",
               "Self CUDA Time": "self_device_ns", "CUDA Time": "device_total_ns",
               "cpu_time_total_us": "cpu_total_ns", "cuda_time_total_us": "device_total_ns",
               "self_time_ms": "self_cpu_ns", "total_time_ms": "cpu_total_ns",
               "cuda_time_ms": "device_total_ns", "Count": "calls", "calls": "calls"}
    for op, sums in want.items():
        for i, title in enumerate(head[1:]):
            key = columns.get(re.sub(r" \(.*", "", title))
            if key and "bytes" not in title and op in got:
                factor = 1 if key == "calls" else scale
                value = got[op][key]
                same(f"{name} {op} {key}", float(value), sums[i] * factor)


def sweep(name):
    rows = list(csv.DictReader(io.StringIO(fixture(name).decode())))
    got = info(fixture(name))["sheet_sweep"]
    same(f"{name} rows", len(got), len(rows))
    keys = {"latency_total": ("latency_total", "_ns", 1e9),
            "latency_per_sample": ("latency_per_sample", "_ns", 1e9),
            "latency_per_batch": ("latency_per_batch", "_ns", 1e9),
            "throughput_samples_per_sec": ("samples_per_s", "", 1),
            "throughput_batches_per_sec": ("batches_per_s", "", 1),
            "cpu_mem_used": ("cpu_used", "_bytes", 2**20),
            "gpu_mem_used": ("gpu_used", "_bytes", 2**20),
            "peak_gpu_mem": ("gpu_peak", "_bytes", 2**20)}
    for mine, row in zip(got, rows):
        same(f"{name} batch", mine["batch_size"], int(row["batch_size"]))
        for key, (short, unit, scale) in keys.items():
            for stat in ("mean", "std", "min", "max", "median"):
                cell = row.get(f"{key}_{stat}")
                want = None if cell is None else float(cell) * scale
                same(f"{name} {key}_{stat}", mine[f"{short}_{stat}{unit}"], want)


def quantile(values, q):
    """Linear between the two values around it (numpy's default, type 7)."""
    values, at = sorted(values), q * (len(values) - 1)
    low = values[int(at)]
    return low + (values[min(int(at) + 1, len(values) - 1)] - low) * (at - int(at))


def metrics(data):
    out = subprocess.run([TRACEQ, "metrics", "--json", "-q", "-"], input=data,
                         stdout=subprocess.PIPE, check=True).stdout
    keys = [t for t in json.loads(out)["tables"] if t["id"] == "keys"]
    return {r["key"]: r for r in keys[0]["rows"]}


def serving(requests):
    """A result with the figures as vllm bench serve computes them from its requests."""
    ttfts = [0.01 + (i * 7919 % 1009) / 10000 for i in range(requests)]
    itls = [[0.005 + ((i * 31 + k * 17) % 101) / 20000 for k in range(i % 5)]
            for i in range(requests)]
    errors = ["timed out" if i % 29 == 3 else "" for i in range(requests)]
    result = {"backend": "vllm", "request_throughput": 2.5, "ttfts": ttfts, "itls": itls,
              "errors": errors}
    for key, word in (("ttfts", "ttft"), ("itls", "itl")):
        values = listed(result, key)
        result[f"mean_{word}_ms"] = 1e3 * math.fsum(values) / len(values)
        result[f"median_{word}_ms"] = 1e3 * quantile(values, 0.5)
        result[f"p99_{word}_ms"] = 1e3 * quantile(values, 0.99)
    return result


def listed(result, key):
    """Values of the requests that did not fail."""
    errors = result.get("errors") or [""] * len(result[key])
    values = []
    for value, error in zip(result[key], errors):
        if not error:
            values += value if isinstance(value, list) else [value]
    return values


def bench(name, said):
    """A benchmark's lists of requests: quantiles here, in traceq, and as the benchmark wrote them."""
    got = metrics(json.dumps(said).encode())
    for key, word in (("ttfts", "ttft"), ("itls", "itl"), ("latencies", "latency")):
        if key not in said:
            continue
        values, row = listed(said, key), got[key]
        same(f"{name} {key} count", row["count"], len(values))
        same(f"{name} {key} mean", row["mean"], 1e9 * math.fsum(values) / len(values))
        for q, column in ((0.5, "median"), (0.99, "p99")):
            own = f"p{round(100 * q)}_latency" if "percentiles" in said else f"{column}_{word}_ms"
            want = 1e9 * quantile(values, q) if q < 0.9 or len(values) >= 100 else None
            same(f"{name} {key} {column}", row[column], want)
            if want is not None:
                same(f"{name} {key} {column} as written", got[own]["mean"], want)


def main():
    for name in ("vllm-serve", "vllm-latency"):
        bench(name, json.loads(fixture(name)))
    for requests in (2, 99, 150, 2000):
        bench(f"{requests} requests", serving(requests))
    for name in ("train-jsonl", "metrics-jsonl", "grpo-jsonl"):
        jsonl(name)
    for rows in ("1", "7", "65536", "65537", "70000"):
        jsonl("jsonl", "--rows", rows)
    for name in ("op-csv", "op-csv-micro", "op-csv-kit", "ops-csv"):
        op_csv(name)
    for name in ("sweep-csv", "sweep-csv-cpu"):
        sweep(name)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
