#!/usr/bin/env python3
"""Time to first token: `metrics` of spans that are drawn here, of several services, in OTLP's JSON and in Jaeger's.

Each request's parts are drawn first, in whole microseconds, and its time to the first token is their sum, the rest being
a part like the others: so nothing is subtracted here.  Shares are ratios of totals over all requests, not of means; the
slowest tenth is what is left when all faster ones are taken away, and quantiles are read off a line through the sorted
values (type 7).
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
BEGIN = 1725000000 * 10**9
PARTS = ("queue", "prefill", "rest", "whole")
KEYS = {"queue": "gen_ai.latency.time_in_queue", "prefill": "gen_ai.latency.time_in_model_prefill",
        "whole": "gen_ai.latency.time_to_first_token"}

checked = 0
failures = []


def near(where, got, want):
    global checked
    checked += 1
    if got is None or abs(got - float(want)) > 1e-6 * max(1.0, abs(float(want))):
        failures.append(f"{where}: {got!r}, not {float(want)!r}")


def draw(rng, n):
    """Requests: us by part; a part that the span does not say is in its rest."""
    requests = []
    for _ in range(n):
        said = {"queue": rng.randrange(0, 400000), "prefill": rng.randrange(1000, 90000)}
        rest = rng.randrange(0, 20000)
        for part in ("queue", "prefill"):
            if rng.random() < 0.2:
                rest += said.pop(part)
        requests.append({**said, "rest": rest, "whole": sum(said.values()) + rest})
    return requests


def attributes(request):
    return {key: request[part] / 1e6 for part, key in KEYS.items() if part in request}


def otlp(services):
    return {"resourceSpans": [{
        "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": name}}]},
        "scopeSpans": [{"spans": [{
            "name": "llm_request", "startTimeUnixNano": str(BEGIN + k * 10**6),
            "endTimeUnixNano": str(BEGIN + k * 10**6 + 10**9),
            "attributes": [{"key": a, "value": {"doubleValue": v}} for a, v in attributes(r).items()],
        } for k, r in enumerate(requests)]}]} for name, requests in services.items()]}


def jaeger(services):
    return {"data": [{"traceID": "ab", "processes": {name: {"serviceName": name} for name in services}, "spans": [
        {"operationName": "llm_request", "startTime": BEGIN // 1000 + k, "duration": 10**6, "processID": name,
         "tags": [{"key": a, "type": "float64", "value": v} for a, v in attributes(r).items()]}
        for name, requests in services.items() for k, r in enumerate(requests)]}]}


def quantile(values, q):
    v = sorted(values)
    at = Fraction(q) * (len(v) - 1)
    low = int(at)
    return v[low] + (at - low) * (v[min(low + 1, len(v) - 1)] - v[low])


def slowest(requests):
    left = list(requests)
    keep = max(len(requests) // 10, 1)
    while len(left) > keep:
        left.remove(min(left, key=lambda r: r["whole"]))
    return left


def compare(where, rows, services):
    global checked
    for name, requests in services.items():
        mine = {r["part"]: r for r in rows if r.get("group") is None or name in r["group"]}
        total, slow = sum(r["whole"] for r in requests), slowest(requests)
        for part in PARTS:
            said = [r[part] for r in requests if part in r]
            if not said:
                continue
            row, at = mine.get(part, {}), f"{where}, {name}, {part}"
            near(f"{at}: mean", row.get("mean_ns"), Fraction(sum(said) * 1000, len(requests)))
            near(f"{at}: share", row.get("share_ratio"), Fraction(sum(said), total))
            near(f"{at}: p50", row.get("p50_ns"), 1000 * quantile(said, Fraction(1, 2)))
            near(f"{at}: p99", row.get("p99_ns"), 1000 * quantile(said, Fraction(99, 100)))
            near(f"{at}: slow", row.get("slow_mean_ns"), Fraction(sum(r.get(part, 0) for r in slow) * 1000, len(slow)))
            near(f"{at}: requests", row.get("requests"), len(said))


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "spans.json")
        for seed, sizes in enumerate(([1], [9], [40], [137, 25], [10, 11, 300])):
            rng = random.Random(seed)
            services = {f"server{i}": draw(rng, n) for i, n in enumerate(sizes)}
            for form, write in (("OTLP", otlp), ("Jaeger", jaeger)):
                with open(path, "w") as f:
                    json.dump(write(services), f)
                p = subprocess.run([TRACEQ, "metrics", path, "--json", "-q"], capture_output=True, text=True)
                tables = {t["id"]: t["rows"] for t in json.loads(p.stdout)["tables"]}
                compare(f"{form}, seed {seed}", tables.get("first_token", []), services)
    for line in failures[:20]:
        print(line)
    print(f"{checked - len(failures)} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
