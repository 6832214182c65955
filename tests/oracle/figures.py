#!/usr/bin/env python3
"""Figures of artifacts: no number of a document vanishes, and gate decides as the formula says.

Seen: each number of each JSON artifact is tripled by itself; diff must say that something changed.
Judged: one figure of a known direction is changed by a random ratio; gate's state is worked out here
from docs/statistics.md, "The rule", for single figures: e = log(new/base) for the worse, u = 1.645 sqrt(2)
noise; fail: e - u > log(1 + tolerance), noisy: e beyond it alone.
Alike: summaries that differ by the declared noise alone do not fail."""
import copy
import json
import math
import os
import random
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
rng = random.Random(16)
passed = 0
failures = []


def expect(where, got, want=True):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{where}: {got!r}, not {want!r}")


def put(path, document):
    with open(path, "w") as f:
        f.write(json.dumps(document))


def ask(*args):
    p = subprocess.run([TRACEQ, *args, "--json", "-q"], capture_output=True, text=True)
    return json.loads(p.stdout) if p.stdout else {"tables": []}, p.returncode


def rows(answer, table):
    return [r for t in answer["tables"] if t["id"] == table for r in t["rows"]]


# ---- seen ----

# What is no figure: raw values of which only the end counts, times of day, numbers of things, and
# how many measurements are behind a mean.
PASSED_OVER = ("raw_metrics", "loss_values", "grad_norm_values", "losses", "accuracies", "step_times",
               "timestamp", "env", "devices", "num_samples", "num_runs", "perf.step_time.count",
               "perf.step_time.std", "stage_times")
KINDS = ("profile", "profile-short", "metric-tracker", "training-logger", "score-distribution",
         "reward-distribution", "gpu-profile", "run-config", "run-metrics", "profiler-summary",
         "stage-times", "stage-list", "memory-stats", "epoch-summary", "canary-metrics",
         "baseline-metrics")


def leaves(d, path=()):
    items = d.items() if isinstance(d, dict) else enumerate(d) if isinstance(d, list) else ()
    for key, v in items:
        yield from leaves(v, (*path, key))
    if isinstance(d, (int, float)) and not isinstance(d, bool):
        yield path, d


def changed(d, path, v):
    d = copy.deepcopy(d)
    at = d
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = v
    return d


def test_seen():
    for kind in KINDS:
        text = subprocess.run([FIXTURES, "artifact", kind], capture_output=True, text=True).stdout
        document = json.loads(text)
        put("a.json", document)
        for path, v in leaves(document):
            name = ".".join(map(str, path))
            if any(word in name for word in PASSED_OVER) and not name.startswith("stage_times.average"):
                continue
            put("b.json", changed(document, path, v * 3 if v else 7))
            answer, _ = ask("diff", "a.json", "b.json")
            said = [r for r in rows(answer, "metrics") if r["base"] != r["new"]]
            expect(f"{kind} {name}", bool(said or rows(answer, "differences")))


# ---- judged ----

# key, better, tolerance, noise: docs/definitions.md, "Figures of artifacts"
FIGURES = (("eval.accuracy", 1, 0.02, 0.01), ("eval.f1_macro", 1, 0.02, 0.01), ("eval.mean_reward", 1, 0.10, 0.02),
           ("eval.images_per_sec", 1, 0.08, 0.02), ("eval.mfu", 1, 0.05, 0.02), ("eval.latency_sec", -1, 0.10, 0.02),
           ("eval.error_rate", -1, 0.10, 0.02), ("eval.workspace_gb", -1, 0.20, 0.02))


def document(values):
    return {"model_info": {"model_type": "x"}, "dataset_info": {"num_labels": 2},
            "eval": {key.split(".")[1]: v for key, v in values.items()}}


def state_of(base, now, better, tolerance, noise):
    worse = -better * math.log(now / base)
    u = 1.6448536 * math.sqrt(2) * noise
    # Of what should be large it is what may be lost.
    limit = -math.log1p(-tolerance) if better > 0 else math.log1p(tolerance)
    if worse - u > limit:
        return "FAIL"
    if worse > limit:
        return "NOISY"
    if worse + u < -limit:
        return "improved"
    return "pass"


def test_judged():
    for turn in range(40):
        base = {key: rng.uniform(1, 9) for key, *_ in FIGURES}
        now = {key: v * math.exp(rng.uniform(-0.35, 0.35)) for key, v in base.items()}
        put("a.json", document(base))
        put("b.json", document(now))
        answer, code = ask("gate", "a.json", "b.json")
        got = {r["check"]: r["state"] for r in rows(answer, "checks")}
        want = {key: state_of(base[key], now[key], better, tolerance, noise)
                for key, better, tolerance, noise in FIGURES}
        for key, state in want.items():
            expect(f"turn {turn}, {key} {base[key]} -> {now[key]}", got.get(key), state)
        expect(f"turn {turn}, exit", code, int("FAIL" in want.values()))


def test_alike():
    failed = 0
    for _ in range(60):
        for side in "ab":
            put(f"{side}.json", document({f"eval.op{i}_sec": math.exp(rng.gauss(0, 0.02)) for i in range(40)}))
        failed += ask("gate", "a.json", "b.json")[1]
    print(f"summaries of 40 figures alike: {failed} of 60 fail")
    expect("alike", failed, 0)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        test_seen()
        test_judged()
        test_alike()
    for f in failures[:20]:
        print("FAIL", f)
    print(f"{passed} passed, {len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
