#!/usr/bin/env python3
"""Every command on every kind of trace that traceq itself writes: `cut`, `merge`, `--annotate`, digests of them.

A written trace may lack what a recorded one has: the mark of a step that its note tells, one end of an arrow, a
thread, all work.  A command answers (0, 1), or says in one line why it does not (2); it never ends by a signal,
and what it prints as JSON is JSON.  Steps that no event stands for keep their number and their times.
"""
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
ALL = os.environ.get("CHECK_ALL")

KINDS = ["other", "cpu_op", "user_annotation", "python_function", "runtime", "kernel", "memcpy", "memset", "sync",
         "gpu_user_annotation", "overhead", "memory", "instant", "counter", "flow"]
# What is cut of a trace: a name, and the options.
CUTS = [
    ("whole", []),
    ("step", ["--steps", "3"]),
    ("two-steps", ["--steps", "3,5"]),
    ("time", ["--time", "30ms-50ms"]),
    ("instant", ["--time", "30ms-30.001ms"]),
    ("around", ["--around", "step:4", "--margin", "1us"]),
    ("no-args", ["--no-args", "--no-python"]),
    ("no-steps", ["-v", "ProfilerStep"]),
    ("nothing", ["-f", "^no such name$"]),
    ("stream", ["--stream", "7", "--steps", "3"]),
    ("no-device", ["--device", "9"]),
    ("anonymous", ["--anonymize", "--steps", "3-4"]),
    ("lanes", ["--lanes", "perfetto", "--steps", "3-4"]),
    ("annotated", ["--annotate", "critical,idle,findings,steps"]),
    ("annotated-step", ["--steps", "4", "--annotate", "critical,idle,findings,steps"]),
    ("annotated-kernels", ["--steps", "4", "--cat", "kernel", "--annotate", "critical,idle,findings,steps"]),
] + [("only-" + k, ["--steps", "3", "--cat", k]) for k in KINDS]
SCENARIOS = ["dataloader-bound"] + (
    ["tiny", "healthy", "graphs", "multi-gpu", "inference", "python-stacks", "cpu-only", "gpu-only", "runs-ahead",
     "leak", "rocm", "graph-serving"] if ALL else [])
COMMANDS = [c.split() for c in (
    "overview|top|top --by shape|top --by stream|top --tree|summary|steps|kernels|kernels --roof|roofline|idle|launches|"
    "critical|critical --what-if kernel:.*=0.5|critical --list|memory|stages|stacks|timeline|copies|comms|ranks|"
    "diagnose|info|check|plot --list|report --format txt|report --format html|digest -o X.tqd|"
    "cut --steps 3 -o X.json|cut --time 10ms- --annotate critical,idle,findings,steps -o X.pftrace|"
    "cut --to folded -o X.folded|merge -o X.json").split("|")]
PAIRS = ["diff", "gate", "report"]

checked = collections.Counter()
failures = []


def run(args, cwd):
    return subprocess.run([TRACEQ, *args], capture_output=True, cwd=cwd, timeout=120)


def expect(name, what, is_so, note=b""):
    checked[name] += 1
    if not is_so:
        failures.append(f"{name}: {what} {note[-300:].decode(errors='replace')}".rstrip())


def ends_well(name, done):
    """Answered, or not and said why."""
    expect(name, f"exit {done.returncode}", done.returncode in (0, 1, 2), done.stderr)
    if done.returncode == 2:
        expect(name, "no word about why", done.stderr.startswith(b"traceq: "), done.stderr)


def is_json(text):
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def ask(folder, path, command):
    """One command on one trace, in a folder of its own."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        for form in ([], ["--json"]) if command[0] not in ("plot", "report", "digest", "cut", "merge") else ([],):
            done = run([command[0], path, *command[1:], *form], own)
            ends_well(" ".join([os.path.basename(path), *command, *form]), done)
            if form and done.returncode in (0, 1):
                expect(" ".join([os.path.basename(path), *command]), "no JSON", is_json(done.stdout), done.stdout)
        for out in os.listdir(own):
            again = run(["info" if out != "X.folded" else "stacks", out], own)
            ends_well(" ".join([os.path.basename(path), *command, "then read"]), again)


def write(folder, name, args):
    path = os.path.join(folder, name)
    done = run([*args, "-q", "-o", path], folder)
    refused = done.returncode == 2 and (b": no " in done.stderr or b" matches no " in done.stderr)  # nothing there is to be kept
    expect(name, "not written", done.returncode == 0 or refused, done.stderr)
    return [path] if done.returncode == 0 else []


def written(folder):
    """All kinds of traces that traceq writes."""
    for scenario in SCENARIOS:
        trace = os.path.join(folder, scenario + ".json")
        with open(trace, "wb") as f:
            subprocess.run([FIXTURES, scenario, "--steps", "6"], stdout=f, check=True)
        for name, options in CUTS:
            for suffix in ("json", "pftrace") if ALL else ("json",):
                yield from write(folder, f"{scenario}-{name}.{suffix}", ["cut", trace, *options])
    job = os.path.join(folder, "job")
    subprocess.run([FIXTURES, "multi-rank", "--all-ranks", job, "--world", "4", "--layers", "2", "--steps", "4"], check=True)
    yield from write(folder, "merged.json", ["merge", job])
    yield from write(folder, "merged-annotated.json", ["merge", job, "--annotate", "critical,idle,findings,steps"])
    for kind in ("kernel", "user_annotation", "runtime"):
        yield from write(folder, f"merged-{kind}.json", ["merge", job, "--steps", "3-4", "--cat", kind])
    # A job of cut ranks, each in its own way.
    os.mkdir(os.path.join(folder, "cutjob"))
    for rank, kind in enumerate(("kernel", "user_annotation", "runtime", "cpu_op")):
        write(folder, f"cutjob/rank{rank}.json",
              ["cut", os.path.join(job, f"rank{rank}.json"), "--steps", "3-4", "--cat", kind])
    yield os.path.join(folder, "cutjob")
    yield from write(folder, "merged-cuts.json", ["merge", os.path.join(folder, "cutjob")])
    yield from write(folder, "digest-of-cuts.tqd", ["digest", os.path.join(folder, "cutjob")])


def check_steps(folder, path):
    """The steps of a cut without their marks: their numbers and times as they are in the whole."""
    def steps(p):
        done = run(["info", p, "--json"], folder)
        tables = json.loads(done.stdout)["tables"] if done.returncode == 0 else []
        rows = [r for t in tables if t["id"] == "steps" for r in t["rows"]]
        return {r["step"]: (r["start_ns"], r["dur_ns"]) for r in rows}

    whole, part = steps(os.path.join(folder, "dataloader-bound.json")), steps(path)
    expect("steps without marks", f"{part} of {whole}", len(part) == 1 and part.items() <= whole.items())


def main():
    with tempfile.TemporaryDirectory() as folder:
        paths = list(written(folder))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(ask, folder, p, c) for p in paths for c in COMMANDS]
            jobs += [pool.submit(lambda c=c, a=a, b=b: ends_well(
                f"{c} {os.path.basename(a)} {os.path.basename(b)}", run([c, a, b], folder)))
                for c in PAIRS for a, b in zip(paths, paths[1:])]
            for j in jobs:
                j.result()
        check_steps(folder, os.path.join(folder, "dataloader-bound-only-kernel.json"))
    for f in failures:
        print("FAIL", f)
    print(f"{sum(checked.values()) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
