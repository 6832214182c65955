#!/usr/bin/env python3
"""How often `diff` is wrong about traces, and what it finds: traces are drawn, and the program asked.

    rates.py [PAIRS]       pairs of sides of a cell [20: 600 pairs of rows]

A run is 8 steps of 30 ops with a kernel each of about a millisecond.  Runs differ by a factor that
all ops of a run share and one of each op of a run, both of half the variance of the noise; within a
run kernels differ by 1 %.  Seeds are fixed.  Prints the rates; what docs/statistics.md promises is
checked: rows and the step are called changed in at most 5 % where nothing changed, where nobody says how much
runs differ the step is held against 2 % and rows are not judged, and the ledger adds up to the headline.
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
PAIRS = int(sys.argv[1]) if len(sys.argv) > 1 else 20
STEPS, OPS = 8, 30
ASSUMED = 0.02  # noise, where nobody says it

failures = []
passed = 0


def expect(what, holds):
    global passed
    if holds:
        passed += 1
    else:
        failures.append(what)


def write_run(path, rng, noise, ratio):
    """One trace; ratio: new to base, by op."""
    common = rng.gauss(0, noise * math.sqrt(0.5))
    level = [1e3 * math.exp(common + rng.gauss(0, noise * math.sqrt(0.5))) * ratio(op)
             for op in range(OPS)]
    events, at, flow = [], 1000.0, 0
    for step in range(STEPS):
        begin, launch = at, at
        for op in range(OPS):
            dur = round(level[op] * (1 + rng.uniform(-0.017, 0.017)), 3)
            flow += 1
            events += [
                f'{{"ph":"X","cat":"cpu_op","name":"op{op:02}","pid":1,"tid":1,"ts":{launch:.3f},'
                f'"dur":4,"args":{{"External id":{flow}}}}}',
                f'{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,'
                f'"ts":{launch + 1:.3f},"dur":2,"args":{{"correlation":{flow}}}}}',
                f'{{"ph":"X","cat":"kernel","name":"kernel{op:02}","pid":0,"tid":7,'
                f'"ts":{at + 3:.3f},"dur":{dur:.3f},"args":{{"device":0,"stream":7,'
                f'"correlation":{flow},"External id":{flow}}}}}']
            launch += 5
            at += dur
        at += 4
        events.append(f'{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{step}","pid":1,'
                      f'"tid":1,"ts":{begin:.3f},"dur":{at - begin:.3f},"args":{{}}}}')
    with open(path, "w", encoding="ascii") as f:
        f.write('{"schemaVersion":1,"deviceProperties":[],"traceEvents":[' + ",".join(events) +
                "]}")


def draw_side(folder, rng, runs, noise, ratio):
    paths = []
    for run in range(runs):
        paths.append(f"{folder}/{len(os.listdir(folder))}.json")
        write_run(paths[-1], rng, noise, ratio)
    return paths


def ask(base, new, *more):
    done = subprocess.run([TRACEQ, "diff", *base, "vs", *new, "-n", "0", "--json", "-q",
                           "--no-config", *more], stdout=subprocess.PIPE, check=True)
    return {t["id"]: t for t in json.loads(done.stdout)["tables"]}


class Cell:
    """What came out of the pairs of one cell."""
    def __init__(self):
        self.step = self.rows = self.first = self.all_rows = self.judged = 0

    def add(self, answer):
        verdict = answer["step"]["rows"][0]["verdict"]
        self.step += verdict in ("regression", "improvement")
        expect("headline is the ledger's", answer["step"]["rows"][0]["delta_ns"] ==
               answer["ledger"]["footer"][0]["delta_ns"])
        rows = answer["ops"]["rows"]
        expect("rows", len(rows) == OPS)
        for row in rows:
            changed = row["status"] == "changed"
            self.rows += changed
            self.first += changed and row["name"] == "op00"
            self.judged += row["q"] is not None
            self.all_rows += 1


def measure(runs, noise, ratio, *more):
    rng = random.Random(f"{runs} {noise}")
    cell = Cell()
    for _ in range(PAIRS):
        with tempfile.TemporaryDirectory() as folder:
            base = draw_side(folder, rng, runs, noise, lambda op: 1)
            cell.add(ask(base, draw_side(folder, rng, runs, noise, ratio), *more))
    return cell


def main():
    print(f"{PAIRS} pairs of sides, {PAIRS * OPS} of rows\n"
          "                  nothing changed      +10 % of all   +10 % of one\n"
          "runs   noise      step      rows            step            row")
    for runs in (1, 3):
        for noise in (0.01, 0.02, 0.04):
            told = ["--noise", f"{100 * noise:g}%"] if runs < 3 else []
            null = measure(runs, noise, lambda op: 1, *told)
            step = measure(runs, noise, lambda op: 1.1, *told)
            row = measure(runs, noise, lambda op: 1.1 if op == 0 else 1, *told)
            print(f"{runs} v {runs} {noise:6.0%} {null.step / PAIRS:10.1%} "
                  f"{null.rows / null.all_rows:9.2%} {step.step / PAIRS:15.1%} "
                  f"{row.first / PAIRS:14.1%}")
            expect(f"step false {runs} {noise}", null.step <= 0.05 * PAIRS)
            expect(f"rows false {runs} {noise}", null.rows <= 0.05 * null.all_rows)
            expect(f"rows judged {runs} {noise}", null.judged > 0.99 * null.all_rows)
            expect(f"rows beside {runs} {noise}", row.rows - row.first <= 0.05 * row.all_rows)
            if noise == 0.01:
                expect(f"found {runs} {noise}", step.step == PAIRS)
    for noise in (0.01, 0.02, 0.04):
        null = measure(1, noise, lambda op: 1)
        print(f"1 v 1 {noise:6.0%} {null.step / PAIRS:10.1%}          -  noise not told")
        expect(f"step false untold {noise}", noise > ASSUMED or null.step <= 0.05 * PAIRS)
        expect(f"rows not judged {noise}", null.judged == 0 and null.rows == 0)
    for line in failures[:40]:
        print(line)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
