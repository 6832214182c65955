#!/usr/bin/env python3
"""What `critical --what-if` predicts, against random programs that are changed and carried out again.

`fixtures simulate` draws a program, carries it out event by event and writes its trace; with a change it carries the
changed program out, so that what the change brings is known.  It shares no rule with the model.  A step's true time is
from the moment when all work of the step before has ended to that of its own.  CHECK_ALL=1: 300 programs, else 50; every third
without rows of waiting.  Programs that were written by hand show that the simulator does what it says.
"""
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
PROGRAMS = 300 if os.environ.get("CHECK_ALL") else 50
STEPS = 16
CHANGES = ["kernel=1", "kernel=0.5", "kernel:gemm=0.5", "kernel=2", "host=0.5", "dataloader=0", "copy=0", "comm=0", "sync=0",
           "launch=0"]
TOGETHER = ["kernel=0.5,host=0.5", "comm=0,copy=0", "dataloader=0,kernel=0.5"]
NEAR, FAR = 0.01, 0.03  # of the window: within it, and never beyond
MOST_FAR_SHARE = 0.01   # of all that are judged may be between the two

passed = 0
failures = []


def expect(what, holds):
    global passed
    if holds:
        passed += 1
    else:
        failures.append(what)


def simulate(*argv):
    return subprocess.run([FIXTURES, "simulate", "--steps", str(STEPS), *argv], stdout=subprocess.PIPE, check=True).stdout


def answers(*argv, changes=()):
    """By change, "" for none: what the simulator says; and what it says of the program."""
    asked = [word for c in changes for word in ("--change", c)]
    said = json.loads(simulate("--answers", *argv, *asked))
    return said, {run["change"]: run for run in said["runs"]}


def ask(path, *changes):
    """The tables of `critical`, by id."""
    asked = [word for c in changes for word in ("--what-if", c)]
    out = subprocess.run([TRACEQ, "critical", "-q", "--json", "-n", "0", *asked, path], stdout=subprocess.PIPE, check=True)
    return {t["id"]: t["rows"] for t in json.loads(out.stdout)["tables"]}


# ---- the simulator itself ----

# Program, change, period of a step in us; on paper, with what fixtures/simulate_hand.c says of the machine: a call
# that launches takes 5, its work comes 2 later at the earliest, work follows work by 1, who waited is back 3 later.
BY_HAND = [
    ("two-kernels", "", 5 + 2 + 50 + 1 + 50 + 3),
    ("two-kernels", "kernel=0.5", 5 + 2 + 25 + 1 + 25 + 3),
    ("two-kernels", "kernel:second=0", 5 + 2 + 50 + 1 + 0 + 3),
    ("two-kernels", "sync=0", 50 + 1 + 50 + 1),
    ("two-kernels", "sync=0,kernel=0", 5 + 5 + 1),
    ("blocking-copy", "", 10 + 5 + 2 + 40 + 1 + 20 + 3 + 30),
    ("blocking-copy", "copy=0", 10 + 5 + 2 + 40 + 1 + 0 + 3 + 30),
    ("blocking-copy", "host=0.5", 5 + 2.5 + 2 + 40 + 1 + 20 + 3 + 15),
    ("blocking-copy", "sync=0", 40 + 1 + 20 + 1),
    ("blocking-copy", "sync=0,kernel=0,copy=0", 10 + 5 + 5 + 30),
    ("queue-of-two", "", 4 * (20 + 1)),
    ("queue-of-two", "kernel=0.5", 4 * (10 + 1)),
    ("queue-of-two", "kernel=0.1", 4 * 5),
    ("two-streams", "", 1 + 1 + 5 + 2 + 60 + 1 + 10 + 3),
    ("two-streams", "kernel:side=0", 1 + 1 + 5 + 5 + 2 + 30 + 1 + 10 + 3),
    ("two-streams", "sync=0", 2 * 1 + 60 + 10),
]


def check_by_hand(folder):
    for program, change, us in BY_HAND:
        said = answers("--program", program, changes=[change] if change else [])[1][change]
        done = said["done_ns"]
        expect(f"{program} {change}: a step takes {(done[-1] - done[-2]) / 1e3} us, on paper {us}",
               done[-1] - done[-2] == us * 1000)
        expect(f"{program} {change}: {said['held']} launches held",
               (said["held"] > 0) == (program == "queue-of-two" and change != "kernel=0.1"))
    path = os.path.join(folder, "hand.json")
    for program in sorted({p for p, _, _ in BY_HAND}):
        with open(path, "wb") as f:
            f.write(simulate("--program", program))
        check_trace(program, path)


def check_trace(what, path):
    """What `check` says of the trace."""
    done = subprocess.run([TRACEQ, "check", "-q", path], stdout=subprocess.PIPE, text=True)
    expect(f"{what}: check exits with {done.returncode}: {done.stdout[:300]}", done.returncode == 0)


def check_rules(what, path):
    """What a device does: a stream one thing after the other, and none before its launch."""
    with open(path) as f:
        events = json.load(f)["traceEvents"]
    calls = {e["args"]["correlation"]: e for e in events if e.get("cat") == "cuda_runtime"}
    streams = {}
    for e in events:
        if e.get("cat") in ("kernel", "gpu_memcpy"):
            streams.setdefault(e["tid"], []).append(e)
    early = [e for rows in streams.values() for e in rows if e["ts"] <= calls[e["args"]["correlation"]]["ts"]]
    expect(f"{what}: before its launch: {early[:1]}", not early)
    for rows in streams.values():
        rows.sort(key=lambda e: e["ts"])
        expect(f"{what}: a stream does two things at once",
               all(a["ts"] + a["dur"] <= b["ts"] + 1e-6 for a, b in zip(rows, rows[1:])))


# ---- the model ----

class Asked:
    """One change of one program: what was predicted, what is true; times are of all steps that count."""

    def __init__(self, program, change, predicted, run):
        self.program, self.change, self.predicted = program, change, predicted
        self.true = sum(run["done_ns"][k] - run["done_ns"][k - 1] for k in program.steps)
        self.least = max(sum(own[k] for k in program.steps) for own in run["own_ns"].values())
        self.held, self.kinds = run["held"], {c.split("=")[0].split(":")[0] for c in change.split(",")}
        self.error = (predicted - self.true) / program.window
        # Work that the steps begin with may have been done before; then the truth is below the sum, too.
        self.below = predicted < min(self.least, self.true) - NEAR * program.window

    def __str__(self):
        p = self.program
        return (f"seed {p.seed} ({','.join(p.features) or 'plain'}{'' if p.rows else '; no rows of waiting'}): "
                f"{self.change}: {self.error:+.1%} of the window"
                f"{', less than the work takes' if self.below else ''}")


class Program:
    def __init__(self, seed, folder):
        self.seed, self.rows = seed, seed % 3 != 0
        together = TOGETHER[seed % len(TOGETHER)]
        said, runs = answers("--seed", str(seed), changes=[*CHANGES, together])
        self.features, self.path = said["features"], os.path.join(folder, f"{seed}.json")
        with open(self.path, "wb") as f:
            f.write(simulate("--seed", str(seed), *([] if self.rows else ["--no-sync-rows"])))
        tables = ask(self.path, *CHANGES)
        self.window = tables["bound"][0]["window_ns"]
        self.steps = [r["step"] - 1 for r in tables["steps"]]  # the simulator counts from 0
        self.held = runs[""]["held"]
        then = {r["scenario"]: r["window_then_ns"] for r in tables["what_if"] if r["given"] != "all"}
        then[together] = next(r["window_then_ns"] for r in ask(self.path, together)["what_if"] if r["given"] == "all")
        done = runs[""]["done_ns"]
        each = [done[k] - done[k - 1] for k in self.steps]
        self.is_steady = max(each) - min(each) < 0.1 * sum(each) / len(each)
        self.asked = [Asked(self, c, then[c], runs[c]) for c in [*CHANGES, together] if c in then]
        for a in self.asked:
            a.matters = abs(a.true - sum(each)) > NEAR * self.window


def check_model(programs):
    asked = [a for p in programs if p.is_steady for a in p.asked]
    unseen = [a for a in asked if a.held and a.program.held < 10]
    judged = [a for a in asked if a not in unseen]
    off = [a for a in judged if abs(a.error) > NEAR]
    expect(f"{len(off)} of {len(judged)} are off by more than {NEAR:.0%}: " + "; ".join(map(str, off[:20])),
           len(off) <= MOST_FAR_SHARE * len(judged))
    for a in judged:
        expect(str(a), abs(a.error) <= FAR and not a.below)
    print(f"{len(judged)} predictions judged, left out: {sum(not p.is_steady for p in programs)} programs whose steps are not "
          f"alike, {len(unseen)} changes that fill a queue of which the trace shows nothing")
    for what, some in (("all of them", judged), ("those whose change matters", [a for a in judged if a.matters])):
        worst = max(some, key=lambda a: abs(a.error))
        print(f"{what}: {sum(abs(a.error) <= NEAR for a in some)} of {len(some)} within {NEAR:.0%}; worst: {worst}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_by_hand(folder)
        with ThreadPoolExecutor(2) as pool:
            programs = list(pool.map(lambda seed: Program(seed, folder), range(1, PROGRAMS + 1)))
        for p in programs[:10]:
            check_trace(f"seed {p.seed}", p.path)
            check_rules(f"seed {p.seed}", p.path)
    check_model(programs)
    for line in failures[:30]:
        print("oracle simulated:", line)
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
