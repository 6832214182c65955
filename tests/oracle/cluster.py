#!/usr/bin/env python3
"""The ways of docs/cluster.md: 64 traces of a job digested and answered for by a real Slurm of one node,
and by GNU parallel, give what one machine gives; where a trace is damaged, nothing is answered."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from clustering.slurm import Slurm  # noqa: E402

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SHARE = os.path.realpath(os.path.join(ROOT, "share", "slurm"))
RANKS = 64
ANSWERS = ["ranks", "summary", "top", "comms"]
passed = 0
skipped = 0
failures = []


def expect(where, got, want=True):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{where}: {got!r}, not {want!r}")


def skip(why):
    global skipped
    print(f"skip cluster: {why}")
    skipped += 1


def read(*path):
    try:
        with open(os.path.join(*path), "rb") as f:
            return f.read()
    except OSError as e:
        return str(e)


def run(*argv, **more):
    return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def make_traces(folder):
    os.makedirs(folder)
    for rank in range(RANKS):
        with open(os.path.join(folder, f"rank{rank}.json.gz"), "wb") as f:
            subprocess.run([FIXTURES, "multi-rank", "--steps", "1", "--world", str(RANKS), "--rank",
                            str(rank), "--gzip=1"], stdout=f, check=True)


def answers_of(digests):
    return {a: run(TRACEQ, a, "-q", "--json", digests).stdout for a in ANSWERS}


def submit(slurm, *argv, **env):
    """The numbers of the jobs that submit.sh prints."""
    done = slurm.tool("bash", os.path.join(SHARE, "submit.sh"), *argv, TRACEQ=TRACEQ, **env)
    expect(f"submit.sh {argv}: {done.stderr}", done.returncode, 0)
    return done.stdout.split()


def whole_job(slurm, traces, out, want):
    jobs = submit(slurm, traces, out)
    expect("an array, and a job behind it", len(jobs), 2)
    said = slurm.wait(jobs[-1], 60)
    log = read(out, "log", "answers.txt")
    expect(f"the answers are made: {log}", said, "COMPLETED")
    expect("a task a trace", len(os.listdir(os.path.join(out, "log"))), RANKS + 1)
    expect("a digest a trace", len(os.listdir(os.path.join(out, "digests"))), RANKS)
    expect("one file of all digests", isinstance(read(out, "job.tqd"), bytes))
    for name in ANSWERS:
        got = read(out, "answers", name + ".json")
        expect(f"{name} is as of one machine", strip(got), strip(want[name]))
        expect(f"{name} as text", len(read(out, "answers", name + ".txt")) > 100)
    expect("a report", b"</html>" in (read(out, "answers", "report.html") or b""))


def strip(text):
    """Without the paths by which the traces were named, and the folder that their job is called by."""
    if not isinstance(text, bytes):
        return text
    return re.sub(rb'"run": "[^"]*", "ranks"', b'"ranks"', re.sub(rb'[^" ]*/(?=rank)', b"", text))


def damaged_job(slurm, traces, folder):
    """By a list, of which some are named with their node and one is none: fewer tasks than traces."""
    broken = os.path.join(folder, "broken.json")
    with open(broken, "w") as f:
        f.write("not a trace")
    node = os.uname().nodename.split(".")[0]
    listed = os.path.join(folder, "list")
    with open(listed, "w") as f:
        f.write("# of which the last is none\n\n")
        for rank in range(5):
            where = f"{node}:" if rank % 2 else ""
            f.write(f"{where}{traces}/rank{rank}.json.gz\n")
        f.write(broken + "\n")
    out = os.path.join(folder, "damaged")
    jobs = submit(slurm, listed, out, "--", "--time=5", TRACEQ_TASKS="2")
    expect("an array a node, and a job behind them", len(jobs), 3)
    expect("digests of those that can be read", slurm.wait(jobs[0], 30) != "COMPLETED")
    expect("those of the node", slurm.wait(jobs[1], 30), "COMPLETED")
    expect("nothing is answered", slurm.wait(jobs[2], 30), "CANCELLED")
    expect("the others are there", len(os.listdir(os.path.join(out, "digests"))), 5)
    expect("no answer is", not os.path.exists(os.path.join(out, "job.tqd")))


def wrong_words(slurm, traces, folder):
    submit_sh = os.path.join(SHARE, "submit.sh")
    for argv in ([], [traces], [traces, folder], [os.path.join(folder, "absent"), folder + "/new"]):
        done = slurm.tool("bash", submit_sh, *argv)
        expect(f"submit.sh {argv}", (done.returncode, done.stdout), (2, ""))


def by_parallel(traces, folder, want):
    if not shutil.which("parallel"):
        return skip("GNU parallel is not installed")
    with open(os.path.join(ROOT, "docs", "cluster.md")) as f:
        line = re.search(r"^    (ls .*\| parallel .*)$", f.read(), re.M).group(1)
    out = os.path.join(folder, "parallel")
    os.makedirs(os.path.join(out, "digests"))
    env = dict(os.environ, HOME=folder,
               PATH=os.path.dirname(TRACEQ) + ":" + os.environ["PATH"])
    os.symlink(traces, os.path.join(out, "traces"))
    done = run("bash", "-c", line, cwd=out, env=env)
    expect(f"the line of cluster.md: {done.stderr}", done.returncode, 0)
    joined = os.path.join(out, "job.tqd")
    expect("digest of digests", run(TRACEQ, "digest", "-q", os.path.join(out, "digests"), "-o",
                                    joined).returncode, 0)
    got = answers_of(joined)
    for name in ANSWERS:
        expect(f"{name} by GNU parallel", strip(got[name]), strip(want[name]))


def main():
    folder = tempfile.mkdtemp(prefix="traceq-cluster.")
    try:
        traces = os.path.join(folder, "traces")
        make_traces(traces)
        one = os.path.join(folder, "one.tqd")
        expect("digest", run(TRACEQ, "digest", "-q", traces, "-o", one).returncode, 0)
        want = answers_of(one)
        by_parallel(traces, folder, want)
        work = os.path.join(folder, "slurm")
        os.mkdir(work)
        with Slurm(work) as slurm:
            if slurm.why:
                skip(slurm.why)
            else:
                whole_job(slurm, traces, os.path.join(folder, "out"), want)
                damaged_job(slurm, traces, folder)
                wrong_words(slurm, traces, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for f in failures[:20]:
        print(f"FAIL {f}"[:2000])
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if failures else 0


sys.exit(main())
