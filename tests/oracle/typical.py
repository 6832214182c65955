#!/usr/bin/env python3
"""Large runs: what `diagnose` finds on typical steps is what `critical` finds on all of them.

From 262,144 calls and pieces of GPU work on the changes are tried on steps that stand for all that count.  `critical --what-if` times all
steps again, so each saving has to be the same within 1% of the window, the figure that typical steps are alike by.  A
run that is not large says nothing of typical steps.  CHECK_ALL=1: more scenarios.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
NEAR = 0.01
SCENARIOS = [("healthy",), ("launch-bound",)]
if os.environ.get("CHECK_ALL"):
    SCENARIOS += [("dataloader-bound",), ("comm-bound",), ("copy-bound", "--seed", "2"), ("mixed",), ("runs-ahead",)]

passed = 0
failures = []


def expect(what, holds):
    global passed
    if holds:
        passed += 1
    else:
        failures.append(what)


def ask(*argv):
    out = subprocess.run([TRACEQ, *argv, "-q", "--json"], stdout=subprocess.PIPE, check=True)
    answer = json.loads(out.stdout)
    rows = {t["id"]: t["rows"] for t in answer["tables"]}
    return rows, {n["id"]: n["text"] for n in answer["notes"]}


def savings(path):
    """By scenario, of the table of changes, as shares of the window."""
    rows, notes = ask("diagnose", path)
    return {r["scenario"]: r["saves_ratio"] for r in rows["changes"] if r["scenario"]}, notes, rows


def check(scenario, folder):
    path = os.path.join(folder, "large.json")
    with open(path, "wb") as f:
        subprocess.run([FIXTURES, *scenario, "--size", "130M"], stdout=f, check=True)
    typical, notes, rows = savings(path)
    name = " ".join(scenario)
    expect(f"{name}: no word about typical steps", "typical_steps" in notes)
    few = [int(n) for n in re.findall(r"\d+", notes.get("typical_steps", "1 9 9"))]
    expect(f"{name}: {notes.get('typical_steps')}", few[0] < few[1] and few[1] - few[0] + 1 < few[2])
    asked = [word for change in typical for word in ("--what-if", change)]
    whole, _ = ask("critical", path, "-n", "0", *asked)
    found = {r["scenario"]: r["saves_ratio"] for r in whole["what_if"]}
    for change, share in typical.items():
        expect(f"{name}: {change}: {share:.4f} of typical steps, {found[change]:.4f} of all",
               abs(share - found[change]) <= NEAR)
    verdict = {r["verdict"] for r in rows["verdict"]}
    expect(f"{name}: {verdict}", verdict == {scenario[0]} or len(scenario) > 1 or scenario[0] in ("mixed", "runs-ahead"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        for scenario in SCENARIOS:
            check(scenario, folder)
        small = os.path.join(folder, "small.json")
        with open(small, "wb") as f:
            subprocess.run([FIXTURES, "healthy", "--steps", "12"], stdout=f, check=True)
        expect("a small run has typical steps", "typical_steps" not in savings(small)[1])
    for line in failures:
        print(line)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
