#!/usr/bin/env python3
"""Holds the bounds of a repaired job (job_what_if of `critical`, and of `ranks`, of traces and of their digests) against
published answers of two real jobs, and against simulated jobs that are made once with a slow rank and once without."""
import gzip
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
# ByteDance-Seed/StragglerAnalysis: seconds of a step as it is, and by what is repaired.
PUBLISHED = {
    "AR": {"now": 46.336, "rank 0 as fast": 23.446, "no imbalance": 23.485, "stage 3 computes": 46.364},
    "ST": {"now": 2.173, "no imbalance": 1.843, "stage 3 computes": 1.771},
}
NAMED = {"AR": ([0], [0]), "ST": ([], [])}  # stragglers, and ranks whose links are slow
NAMELESS = {"AR": (0, None), "ST": (7, "6")}  # who works longest: of ST its long stage
NEAR = 0.02  # six of the published steps are here; 1 % is met by all but two figures of ST

passed = skipped = 0
failures = []


def expect(what, ok, why=""):
    global passed
    passed += bool(ok)
    if not ok:
        failures.append(f"{what}: {why}")


def table(command, folder, name):
    answer = subprocess.run([TRACEQ, command, folder, "--format", "json", "-q"], stdout=subprocess.PIPE, check=True).stdout
    return next(t["rows"] for t in json.loads(answer)["tables"] if t["id"] == name)


def what_if(folder, command="critical"):
    return table(command, folder, "job_what_if")


def check_published(name, want, rows):
    expect(f"{name} now", abs(rows[0]["step_now_ns"] / 1e9 / want["now"] - 1) < NEAR, rows[0])
    for words, seconds in want.items():
        row = next((r for r in rows if r["says"].startswith(words)), None)
        if words != "now":
            got = row and row["most_then_ns"] / 1e9
            expect(f"{name} {words}", row and abs(got / seconds - 1) < NEAR, (got, seconds))
    for row in rows:
        expect(f"{name} {row['says']}: from below to", row["most_ns"] is None or row["saves_ns"] <= row["most_ns"], row)


def check_job(name, want):
    """By all three ways; a digest says what its trace does."""
    folder = os.path.join(SHARED, "samples/stragglers", name)
    said = json.loads(subprocess.run([TRACEQ, "ranks", folder, "--format", "json", "-q"], stdout=subprocess.PIPE, check=True).stdout)
    expect(f"{name}: ends that wander are no clocks that were set", all(n["id"] != "clock_set" for n in said["notes"]), said["notes"])
    with tempfile.TemporaryDirectory() as there:
        digests = os.path.join(there, "job.tqd")
        subprocess.run([TRACEQ, "digest", "-q", folder, "-o", digests], check=True)
        kept = what_if(digests, "ranks")
    check_published(f"{name} critical", want, what_if(folder))
    check_published(f"{name} ranks", want, what_if(folder, "ranks"))
    check_published(f"{name} digests", want, kept)
    expect(f"{name} digests", kept == what_if(folder, "ranks"), kept)


def check_named(name, stragglers, links):
    """Who is named, and whose links."""
    rows = table("ranks", os.path.join(SHARED, "samples/stragglers", name), "findings")
    for state, want in ("straggler", stragglers), ("slow link", links):
        got = [r["rank"] for r in rows if r["state"] == state]
        expect(f"{name} {state}", got == want, got)


def check_nameless(name, change, slow):
    """Where collectives lack what they are, or are copies, who works longer than all others is who they wait for."""
    folder = os.path.join(SHARED, "samples/stragglers", name)
    with tempfile.TemporaryDirectory() as there:
        for file in os.listdir(folder):
            with gzip.open(os.path.join(folder, file), "rt") as f:
                trace = json.load(f)
            for event in trace["traceEvents"]:
                if event["name"].startswith("nccl"):
                    event["args"] = {k: event["args"][k] for k in ("device", "stream", "correlation")}
                    event.update(change)
            with open(os.path.join(there, file[:-len(".gz")]), "w") as f:
                f.write(json.dumps(trace))
        found = table("ranks", there, "findings")
    got = [(f["rank"], f["also"]) for f in found if f["state"] != "pipeline bubbles"]
    expect(f"{name} {change}", got == [slow], found)


def make(folder, options, slow):
    path = os.path.join(folder, f"slow-{slow}")
    subprocess.run([FIXTURES, "multi-rank", *options, "--slow-rank", slow, "--all-ranks", path], check=True)
    return path


def check_simulated(options):
    """What the straggler's row says is what the job without a straggler takes: at most, and at least."""
    with tempfile.TemporaryDirectory() as folder:
        slow = next(r for r in what_if(make(folder, options, "1")) if r["says"].startswith("rank 1 as fast"))
        even = what_if(make(folder, options, "none"))[0]["step_now_ns"]
        expect(f"{options}: from", slow["step_then_ns"] > 0.98 * even, (slow, even))
        expect(f"{options}: to", (slow["most_then_ns"] or 0) < 1.02 * even, (slow, even))


for job, published in PUBLISHED.items():
    if os.path.isdir(os.path.join(SHARED, "samples/stragglers", job)):
        check_job(job, published)
        check_named(job, *NAMED[job])
        for change in {}, {"cat": "gpu_memcpy", "name": "Memcpy PtoP (Device -> Device)"}:
            check_nameless(job, change, NAMELESS[job])
    else:
        print(f"SKIP {job}: no {SHARED}/samples/stragglers")
        skipped += 1
for layout in ("--world 4", "--world 8 --tp 2", "--world 8 --tp 2 --pp 2"):
    for cause in "compute", "work":
        check_simulated([*layout.split(), "--steps", "6", "--layers", "4", "--slow-by", cause])
for failure in failures:
    print("FAIL", failure)
print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
sys.exit(bool(failures))
