#!/usr/bin/env python3
"""Charts and reports of what lacks something: a job without steps, one rank of it, a run without work, no events.

Every chart and every form of report is drawn, or says in one line why it is not; none ends by a signal.
"""
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]

passed = 0
failures = []


def run(args, cwd):
    global passed
    done = subprocess.run([TRACEQ, *args], capture_output=True, cwd=cwd, timeout=120)
    if done.returncode in (0, 1) or (done.returncode == 2 and done.stderr.startswith(b"traceq: ")):
        passed += 1
    else:
        failures.append(f"{' '.join(args)}: exit {done.returncode}: {done.stderr[-200:].decode(errors='replace')}")
    return done


def without(path, lacks):
    """The trace again, without the events that are said to be lacking."""
    with open(path) as f:
        trace = json.load(f)
    trace["traceEvents"] = [e for e in trace["traceEvents"] if not lacks(e)]
    with open(path, "w") as f:
        json.dump(trace, f)


def generate(folder, name, args, lacks):
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        subprocess.run([FIXTURES, *args], stdout=f, check=True)
    without(path, lacks)
    return name


def inputs(folder):
    def is_step(e):
        return "ProfilerStep" in str(e.get("name"))

    job = os.path.join(folder, "job")
    subprocess.run([FIXTURES, "multi-rank", "--all-ranks", job, "--world", "4", "--steps", "3"], check=True)
    for rank in os.listdir(job):
        without(os.path.join(job, rank), is_step)
    yield "job"
    yield "job/rank1.json"
    yield generate(folder, "stepless.json", ["healthy", "--steps", "3"], is_step)
    yield generate(folder, "hostless.json", ["healthy", "--steps", "3"], lambda e: e.get("cat") not in ("kernel", None))
    yield generate(folder, "idle.json", ["healthy", "--steps", "3"],
                   lambda e: e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"))
    yield generate(folder, "metadata.json", ["tiny"], lambda e: e.get("ph") != "M")
    yield generate(folder, "cpu.json", ["cpu-only", "--steps", "2"], is_step)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for path in inputs(folder):
            listed = run(["plot", "--list", path], folder)
            run(["plot", "--list"], folder)
            for form in ("txt", "md", "html"):
                run(["report", path, "--format", form], folder)
            run(["report", path, "-o", "report.html"], folder)
            for chart in ("rank-steps", "rank-ledger", "step-time", "step-ledger", "timeline", "critical-slack", "clock-fit"):
                run(["plot", chart, path, "--format", "gp", "-o", chart + ".gp"], folder)
            if listed.returncode == 0 and not listed.stdout:
                failures.append(f"plot --list {path}: empty")
    for f in failures:
        print("FAIL", f)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
