#!/usr/bin/env python3
"""Exports that are read again: top, kernels, copies, steps and idle are those of the trace to the byte, for every shared
trace, scenario, layout and damage, of a job those of its ranks together; any other command says the same or refuses; parts that are missing, of another run
or cut off are errors that name them."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = pathlib.Path(os.environ.get("SHARED", "../shared"))
ANSWERS = ("top", "kernels", "copies", "steps", "idle")
OTHERS = ("check", "comms", "critical", "diagnose", "fit", "gate", "info", "launches", "memory", "roofline", "stacks",
          "stages", "summary", "timeline", "batch", "metrics", "smi")
OF_FILE = rb'"(file_bytes|text_bytes|container|compression)": [^,}]*'
ANOTHER = "its table 'kernels' is not of the same trace"
OPTIONS = {"top": (["--by", "name"], ["--steps", "1"], ["--sort", "calls"]), "kernels": (["--device", "0"],),
           "copies": ([],), "steps": (["--wide"],), "idle": (["--top", "3"],)}
# Options that need what an export lacks.
LACKING = (["kernels", "--by", "stack"], ["kernels", "--roof"], ["copies", "--types"])
SCENARIOS = ("healthy", "dataloader-bound", "copy-bound", "comm-bound", "expert-dispatch", "leak", "cpu-only", "gpu-only",
             "gpu-only-idle", "multi-rank", "graphs", "graph-serving", "rocm", "xpu", "mtia", "tiny", "python-stacks",
             "inference", "multi-stream", "multi-gpu", "serving-full-queue", "runs-ahead", "one-gap", "gloo-cpu")
LAYOUTS = ("kineto2021", "array", "ndjson", "legacy-array", "jax", "chrome", "ascend", "pftrace", "perfetto", "xplane",
           "nsys", "rocpd", "ascend-db")
DAMAGES = ("gz-cut", "cut", "no-brace", "garbage", "arg-NaN", "utf16le")

passed = 0
failures = []


def expect(what, is_true, why=""):
    global passed
    passed += 1
    if not is_true:
        failures.append(f"{what}: {why}")


def said(command, path, *options):
    done = subprocess.run([TRACEQ, command, path, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, *(text.replace(os.fsencode(path), b"INPUT") for text in (done.stdout, done.stderr))


def first_other(a, b):
    for x, y in zip(b"".join(a[1:]).splitlines(), b"".join(b[1:]).splitlines()):
        if x != y:
            return f"{a[0]} {x[:100]} is {b[0]} {y[:100]}"
    return f"{a[0]}: {len(a[1])} bytes are {b[0]}: {len(b[1])}"


def export(trace, out):
    done = subprocess.run([TRACEQ, "export", trace, "-o", f"{out}/", "-q", "--force"], stderr=subprocess.PIPE, check=False)
    expect(f"export {trace}", done.returncode == 0, done.stderr.decode(errors="replace"))


def check_trace(trace, out, all_of_it):
    export(trace, out)
    for command in ANSWERS:
        for options in ([], ["--json"], *(OPTIONS[command] if all_of_it else ())):
            a, b = said(command, str(trace), *options), said(command, str(out), *options)
            expect(f"{trace.name}: {command} {' '.join(options)}", a == b, first_other(a, b))


def check_others(trace, out):
    """No other command gives another answer."""
    for command in OTHERS:
        a, b = said(command, str(trace), "--json"), said(command, str(out), "--json")
        if command == "info":  # which says what the file is, too
            a, b = ((x[0], re.sub(OF_FILE, b"", x[1]), x[2]) for x in (a, b))
        expect(f"{trace.name}: {command}", a == b or (b[0] == 2 and b[2] and not b[1]), first_other(a, b))
    for command, *options in LACKING:
        b = said(command, str(out), *options)
        expect(f"{trace.name}: {command} {options}", b[0] == 2 and b"an export holds no" in b[2], f"{b}")


def check_missing(folder, trace, other):
    """A table that is not there, is of another trace, is cut off; a folder of nothing but tables of others."""
    out, of = folder / "missing.parquet", folder / "other.parquet"

    def refused(what, word, command="kernels"):
        got = said(command, str(out))
        expect(what, got[0] == 2 and word.encode() in got[2] and not got[1], f"{got}")
        return got
    export(other, of)
    for what, change, word in (
            ("no kernels", lambda: (out / "kernels.parquet").unlink(), "'kernels' is not beside its events"),
            ("other kernels", lambda: shutil.copy(of / "kernels.parquet", out / "kernels.parquet"), ANOTHER),
            ("kernels cut", lambda: os.truncate(out / "kernels.parquet", 999), "cut off"),
            ("events cut", lambda: os.truncate(out / "events.parquet", 999), "cut off"),
            ("events empty", lambda: os.truncate(out / "events.parquet", 0), "")):
        export(trace, out)
        change()
        refused(what, word)
    export(trace, out)
    os.truncate(out / "kernels.parquet", 999)
    expect("what needs no kernels", said("steps", str(out))[0] == 0)


def said_of_job(command, path, *options):
    """A rank's trace and its part of an export are called alike."""
    code, *texts = said(command, str(path), *options)
    return code, *(re.sub(rb"rank=?(\d+)(/trace\.json|/events\.parquet)?", rb"rank\1", text) for text in texts)


def check_job(folder, what, ranks, *argv):
    """Each rank of a job, and the job."""
    job, out = folder / f"{what}-job", folder / f"{what}-job.parquet"
    for r in range(ranks):
        (job / f"rank{r}").mkdir(parents=True)
        fixture(job / f"rank{r}" / "trace.json", "multi-rank", "--rank", str(r), "--world", str(ranks), *argv)
    export(job, out)
    for r in range(ranks):
        for command in ANSWERS:
            a, b = said(command, str(job / f"rank{r}/trace.json")), said(command, str(out / f"rank={r}"))
            expect(f"{what}, rank {r}: {command}", a == b, first_other(a, b))
            b = said(command, str(out / f"rank={r}" / "events.parquet"))
            expect(f"{what}, rank {r}, by its events: {command}", a == b, first_other(a, b))
    for command in ANSWERS:
        for options in ([], ["--json"], ["--wide"], ["--device", "0", "--json"]):
            a, b = (said_of_job(command, path, *options) for path in (job, out))
            expect(f"{what}: {command} {options}", a == b, first_other(a, b))
            if "--device" not in options:
                expect(f"{what}: {command} {options} is of a job", re.search(b'ranks of the job|"job_ranks"', a[1]))
    for command in ("summary", "comms", "ranks", "diagnose"):
        a, b = said_of_job(command, job, "--json"), said_of_job(command, out, "--json")
        expect(f"{what}: {command}", a == b or (b[0] == 2 and b"an export holds no" in b[2]), first_other(a, b))
    got = said("top", str(out), "--steps", "1")
    expect(f"{what}: --steps of a job", got[0] == 2 and b"an export holds no" in got[2], f"{got}")
    return out


def check_ranks(folder):
    check_job(folder, "two", 2, "--steps", "2")
    out = check_job(folder, "eight", 8, "--steps", "3", "--tp", "2", "--slow-rank", "3", "--slow-by", "compute")
    os.truncate(out / "rank=1" / "events.parquet", 999)
    got = said("top", str(out))
    expect("a rank that is cut off", b"cut off" in got[2] and b"rank=1" in got[2], f"{got}")


def fixture(path, *argv):
    with open(path, "wb") as out:
        done = subprocess.run([FIXTURES, *argv], stdout=out, stderr=subprocess.PIPE, check=False)
    expect(f"fixtures {argv}", done.returncode == 0, f"{done.stderr}")
    return path


def check_all(folder):
    out = folder / "again.parquet"
    made = [fixture(folder / f"{s}.json", s, "--steps", "2") for s in SCENARIOS]
    made += [fixture(folder / f"layout-{s}", "healthy", "--layout", s, "--steps", "2") for s in LAYOUTS]
    made += [fixture(folder / f"damage-{s}", "healthy", "--damage", s, "--steps", "2") for s in DAMAGES]
    shared = sorted(p for p in (SHARED / "traces").glob("*") if p.name.endswith((".json", ".json.gz")))
    for i, trace in enumerate(made + shared):
        check_trace(trace, out, i % 5 == 0)
        if i % 5 == 0:
            check_others(trace, out)
    check_missing(folder, made[0], made[2])
    check_ranks(folder)


def main():
    with tempfile.TemporaryDirectory() as name:
        check_all(pathlib.Path(name))
    for line in failures[:40]:
        print("FAIL", " ".join(line.split())[:300])
    print(f"{passed - len(failures)} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


sys.exit(main())
