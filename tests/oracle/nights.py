#!/usr/bin/env python3
"""Nights against a store, through the program: how often a night without a change fails, how often one
with a change is found, and how far a figure creeps before it is.  Prints the rates; they are stated in
docs/statistics.md.  Seeds are fixed; --full takes the number of nights that the document was written
with."""
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TRACEQ = os.environ["TRACEQ"]
FULL = "--full" in sys.argv
ALL = os.environ.get("CHECK_ALL")
NIGHTS = 1000 if FULL else 100 if ALL else 30
COURSES = 40 if FULL else 5 if ALL else 3
RUNS = 20
passed = 0
failures = []


def expect(where, got, want=True):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{where}: {got!r}, not {want!r}")


def metrics(step_s, memory_mib, host=None):
    """A run as rlhf-canary writes it."""
    t = {k: step_s for k in ("mean", "median", "p50", "p95", "p99", "min", "max")}
    return {"run_id": "r", "timestamp": "2026-01-01T00:00:00", "duration_seconds": 60.0,
            "env": {"gpu_name": "Tesla T4", "gpu_count": 1, "cuda_available": True, **({"hostname": host} if host else {})},
            "config": {"model_name": "m", "max_steps": 100, "batch_size": 2},
            "perf": {"step_time": {"count": 200, "std": step_s / 50, **t},
                     "approx_tokens_per_sec": 512 / step_s, "max_mem_mb": memory_mib},
            "stability": {"nan_steps": 0, "inf_steps": 0, "loss_values": [], "loss_diverged": False},
            "status": "completed"}


def line(i, step_s, memory_mib, host=None):
    """A run of a store, a day each."""
    return json.dumps({
        "schema": "traceq.baseline/1", "time": 1767225600 + 86400 * i, "label": f"night{i}",
        "env": {"gpu": "Tesla T4", **({"host": host} if host else {})}, "metrics": {
            "step_time": {"value": step_s * 1e9, "unit": "ns", "better": "lower",
                          "sd": step_s * 1e9 / 50, "count": 200},
            "tokens_per_sec": {"value": 512 / step_s, "better": "higher", "count": 1},
            "peak_memory": {"value": memory_mib * 1048576, "unit": "bytes", "better": "lower",
                            "count": 1}}})


class Figures:
    """Step time with a noise between nights, and memory with a tenth of it."""

    def __init__(self, seed, noise):
        self.rng = random.Random(seed)
        self.noise = noise

    def night(self, ratio=1.0):
        return (0.5 * ratio * math.exp(self.rng.gauss(0, self.noise)),
                4000 * math.exp(self.rng.gauss(0, self.noise / 10)))


def ask(*args):
    p = subprocess.run([TRACEQ, "gate", *args, "--json", "-q"], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True)
    if p.returncode not in (0, 1):
        raise SystemExit(f"gate {args}: exit {p.returncode}: {p.stderr}")
    return p.returncode, {t["id"]: t["rows"] for t in json.loads(p.stdout)["tables"]}


def new_run(folder, figures, ratio):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "metrics.json"), "w") as f:
        f.write(json.dumps(metrics(*figures.night(ratio))))
    return folder


def one_night(args):
    """Whether a night of that ratio fails against a store of its own."""
    seed, noise, ratio, runs, history = args
    figures = Figures(seed, noise)
    with tempfile.TemporaryDirectory() as d:
        with open(os.path.join(d, "store.jsonl"), "w") as f:
            for i in range(runs):
                f.write(line(i, *figures.night()) + "\n")
        store = os.path.join(d, "store.jsonl")
        if history:
            return ask("--history", store)[0]
        return ask(store, new_run(os.path.join(d, "new"), figures, ratio))[0]


def machine_night(args):
    """The same, where each run is on one of two machines, by chance, which are 4% apart."""
    seed, noise, ratio, known = args
    figures, rng = Figures(seed, noise), random.Random(seed + " host")
    slow = {"node1": 1.0, "node2": 1.04}
    with tempfile.TemporaryDirectory() as d:
        store = os.path.join(d, "store.jsonl")
        with open(store, "w") as f:
            for i in range(RUNS):
                host = rng.choice(list(slow))
                f.write(line(i, *figures.night(slow[host]), host if known else None) + "\n")
        host = rng.choice(list(slow))
        os.mkdir(os.path.join(d, "new"))
        with open(os.path.join(d, "new", "metrics.json"), "w") as f:
            f.write(json.dumps(metrics(*figures.night(ratio * slow[host]), host if known else None)))
        return ask(store, os.path.join(d, "new"))[0]


pool = ThreadPoolExecutor(4)


def rate(noise, ratio, runs=RUNS, history=False, nights=NIGHTS):
    cases = [(f"{noise} {ratio} {i}", noise, ratio, runs, history) for i in range(nights)]
    return sum(pool.map(one_night, cases)) / nights


def single_nights():
    print(f"nights that fail, of {NIGHTS}, against a store of {RUNS} runs")
    print("noise     0 %    +3 %    +5 %   +10 %")
    # What each must find at least; a hundred nights may miss a few of it by chance.
    least = {0.005: (0.95, 0.99, 0.99), 0.01: (0, 0.8, 0.99), 0.02: (0, 0.1, 0.75), 0.04: (0, 0, 0.1)}
    for noise, want in least.items():
        got = [rate(noise, r) for r in (1, 1.03, 1.05, 1.10)]
        print(f"{noise:5.1%}  " + "  ".join(f"{g:6.1%}" for g in got))
        slack = 2.5 * math.sqrt(0.25 / NIGHTS)
        expect(f"false alarms at {noise:.1%}: {got[0]}",
               got[0] <= 0.01 + 2.5 * math.sqrt(0.01 / NIGHTS))
        for ratio, g, w in zip((3, 5, 10), got[1:], want):
            near = 2.5 * math.sqrt(w * (1 - w) / NIGHTS) if w else slack
            expect(f"+{ratio} % at {noise:.1%}: {g}", g >= w - near)


def two_machines():
    print(f"\ntwo machines 4% apart, by chance, of {NIGHTS} nights at 0.5%: those that fail")
    print("hosts       0 %    +3 %    +5 %")
    for known in (True, False):
        got = [sum(pool.map(machine_night, [(f"machines {r} {i}", 0.005, r, known) for i in range(NIGHTS)])) / NIGHTS
               for r in (1, 1.03, 1.05)]
        print(f"{'known' if known else 'unknown':8}" + "  ".join(f"{g:6.1%}" for g in got))
        expect(f"two machines, false alarms: {got[0]}", got[0] <= 0.01 + 2.5 * math.sqrt(0.01 / NIGHTS))
        expect(f"two machines, +3%: {got[1]}", not known or got[1] >= 0.9 - 2.5 * math.sqrt(0.09 / NIGHTS))


def quiet_histories():
    print(f"\nstores without a change that gate --history fails, of {NIGHTS}")
    print("noise    12 runs    20 runs    60 runs")
    for noise in (0.005, 0.01, 0.02, 0.04):
        got = [rate(noise, 1, n, True) for n in (12, 20, 60)]
        print(f"{noise:5.1%}  " + "  ".join(f"{g:9.1%}" for g in got))
        for n, g in zip((12, 20, 60), got):
            expect(f"gate --history, {n} runs at {noise:.1%}: {g}",
                   g <= 0.01 + 2.5 * math.sqrt(0.01 / NIGHTS))


def course(args):
    """
    How far it has crept when the gate fails first, night by night: gate, and what passes is added.
    None: never.  Also the message of the check that failed.
    """
    seed, noise, step, before = args
    figures = Figures(seed, noise)
    with tempfile.TemporaryDirectory() as d:
        store = os.path.join(d, "store")
        os.mkdir(store)
        with open(os.path.join(store, "baseline.jsonl"), "w") as f:
            for i in range(before):
                f.write(line(i, *figures.night()) + "\n")
        for i in range(60):
            crept = (1 + step) ** (i + 1) - 1
            run = new_run(os.path.join(d, "new"), figures, 1 + crept)
            code, tables = ask(store, run) if before + i else (0, {})
            if code:
                return crept, tables["checks"][0]
            p = subprocess.run([TRACEQ, "baseline", "add", store, run, "-q", "--label", f"creep{i}",
                                "--time", str(1767225600 + 86400 * (before + i))],
                               stderr=subprocess.PIPE, text=True)
            if p.returncode:
                raise SystemExit(f"baseline add: exit {p.returncode}: {p.stderr}")
    return None, None


def creeping():
    print(f"\nhow far it has crept when a night fails: median and largest of {COURSES} stores")
    print("noise   +0.16 % a night   the same, new store   +0.4 % a night")
    for noise in (0.005, 0.01, 0.02, 0.04):
        cells = []
        for step, before in ((0.0016, RUNS), (0.0016, 0), (0.004, RUNS)):
            got = list(pool.map(course, [(f"{noise} {i}", noise, step, before)
                                         for i in range(COURSES)]))
            far = sorted(math.inf if g[0] is None else g[0] for g in got)
            cells.append(f"{far[len(far) // 2]:6.2%} {far[-1]:6.2%}")
            if noise <= 0.01:
                expect(f"+{step:.2%} a night at {noise:.1%}: {far}", far[-1] < 0.06)
            elif noise <= 0.02:
                expect(f"+{step:.2%} a night at {noise:.1%}: {far}", far[len(far) * 3 // 4] < 0.06)
            for crept, check in got:
                if check and check["check"].startswith("drift:"):
                    expect(f"it says since when: {check['message']}", "since 2026-" in check["message"])
        print(f"{noise:5.1%}   " + "     ".join(cells))


def quiet_courses():
    print(f"\nstores without a change in which one of 60 nights or more fails, of {COURSES}")
    print("noise")
    for noise in (0.005, 0.01, 0.02, 0.04):
        got = list(pool.map(course, [(f"quiet {noise} {i}", noise, 0, RUNS) for i in range(COURSES)]))
        share = sum(g[0] is not None for g in got) / COURSES
        print(f"{noise:5.1%}  {share:6.1%}")
        # Nights of a store are no 60 chances: they share its level.
        expect(f"60 nights at {noise:.1%}: {share}", share <= 0.45)


def main():
    single_nights()
    two_machines()
    quiet_histories()
    creeping()
    if FULL or ALL:
        quiet_courses()


main()
for text in failures[:30]:
    print(text)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
