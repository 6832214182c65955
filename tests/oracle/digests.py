#!/usr/bin/env python3
"""Digests: their layout read by other hands, their sums against what the traces say, answers from
them against answers from the traces, byte for byte, in any partition and order; and what is hostile."""
import glob
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

from judging import digest_format as tqd

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
EVERYTHING = bool(os.environ.get("CHECK_ALL"))
SCENARIOS = ["healthy", "leak", "cpu-only", "gpu-only", "multi-gpu", "inference", "expert-dispatch"]
if EVERYTHING:
    SCENARIOS += ["dataloader-bound", "copy-bound", "launch-bound", "comm-bound", "graphs", "rocm", "xpu", "mtia",
                  "python-stacks", "multi-stream", "serving-full-queue", "gpu-only-idle", "runs-ahead", "one-gap",
                  "gloo-cpu", "second-idle", "mixed"]
REAL = ["hta_timeline_rank0", "tl_h100_bert", "hta_cpu_only"]
ANSWERS = [["summary"], ["summary", "--json"], ["top"], ["top", "--json", "-n", "0"], ["top", "--format", "csv"],
           ["comms"], ["comms", "--json"], ["diagnose"], ["check", "--json"], ["report"]]
MEMORY = 1 << 30

failures = []
checked = 0


def expect(what, got, want):
    global checked
    checked += 1
    if got != want:
        failures.append(f"{what}: {got!r}, not {want!r}"[:600])


def run(*words, limit=False):
    bound = (lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))) if limit else None
    done = subprocess.run([TRACEQ, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=bound)
    return done.returncode, done.stdout, done.stderr


def digest(to, *files):
    code, _, err = run("digest", "-q", *files, "-o", to)
    expect(f"digest {files}", (code, err), (0, b""))
    with open(to, "rb") as f:
        return f.read()


def tables(path, *words):
    code, out, err = run(*words, "--json", "-q", path)
    if code not in (0, 1):
        failures.append(f"{words} {path}: {err.decode()}")
        return {}
    return {t["id"]: t["rows"] for t in json.loads(out)["tables"]}


def kept(answer):
    """An answer without the sections of a report that only events tell."""
    code, out, err = answer
    skip, lines = False, []
    for line in out.split(b"\n"):
        if line[:1].isalpha() and line.isupper():
            skip = line in (b"CRITICAL PATH", b"ROOFLINE")
        if not skip:
            lines.append(line)
    return code, b"\n".join(lines), err


def told(answer):
    """A digest's report without what it says of those sections, once each."""
    code, out, err = answer
    skip, lines, said = False, [], []
    for line in out.split(b"\n"):
        if line[:1] not in (b"", b" "):
            skip = line.startswith((b"?  the critical path, ", b"?  the roofline, "))
            said += [line] * skip
        elif not line:
            skip = False
        if not skip:
            lines.append(line)
    expect("sections that need the trace are named", len(said), 2)
    out = b"\n".join(lines)
    heading = b"\nWHAT THE TRACE DOES NOT SAY\n" + 78 * b"-" + b"\n"
    return code, out[:-len(heading)] if out.endswith(heading) else out, err


def same_answers(trace, made):
    """The digest lies under the trace's name, so that the answers are the same bytes."""
    for words in ANSWERS:
        got, want = run(*words, made), run(*words, trace)
        if words[0] == "report":
            got, want = told(got), kept(want)
        expect(f"{' '.join(words)} of the digest of {trace}", got, want)


def sums(what, record, trace):
    """What is in a digest against what traceq says of its trace."""
    parts = tqd.sections(record)
    facts, d = tqd.facts(parts["facts"]), tqd.digest(parts["digest"])
    info = tables(trace, "info")["trace"][0]
    expect(f"{what}: events", facts["nevent"], info["events"])
    expect(f"{what}: rank", facts["rank"], -1 if info["rank"] is None else info["rank"])
    kernels = {}
    for r in d["device"]:
        expect(f"{what}: shapes of {r['name']}", sum(s[1] for s in r["shapes"]) <= r["calls"], True)
        if r["step_ns"] is not None:
            expect(f"{what}: steps of {r['name']}", sum(r["step_ns"]), r["ns"])
        kernels[r["kind"]] = kernels.get(r["kind"], 0) + r["all_calls"]
    run_of = tables(trace, "summary").get("run_devices") or []
    expect(f"{what}: device events", sum(kernels.values()), sum(r["device_events"] for r in run_of))
    total = sum(r["all_ns"] for r in d["device"])
    expect(f"{what}: device time", total, sum(r["sum_ns"] for r in run_of))
    steps = d["steps"]
    for i in range(d["nstep"] if d["has_device"] else 0):
        ledger = sum(steps[k][i] for k in ["compute", "exposed_comm", "exposed_memcpy", "unrecorded", "idle"])
        expect(f"{what}: ledger of step {i}", ledger, steps["wall"][i] * d["ndevice"])
    of_comms = tables(trace, "comms")
    comms = of_comms.get("collectives") or [{"calls": r["calls"], "device_sum_ns": r["cpu_total_ns"]}
                                            for r in of_comms.get("host") or [] if r["name"].startswith(("gloo:", "mpi:"))]
    found = d["collectives"]["v"] if d["collectives"] else []
    expect(f"{what}: collectives", len(found), sum(r["calls"] for r in comms))
    expect(f"{what}: their time", sum(c["dur"] for c in found), sum(r["device_sum_ns"] for r in comms))


def of_trace(folder, name, path):
    os.mkdir(f"{folder}/{name}")
    trace, made = f"{folder}/{name}/in.json", f"{folder}/{name}/out.tqd"
    os.symlink(os.path.abspath(path), trace)
    (_, record), = tqd.records(digest(made, trace))
    sums(name, record, trace)
    shown = os.getcwd()
    os.chdir(f"{folder}/{name}")  # a digest is known by the path its trace was opened by
    (_, record), = tqd.records(digest("out.tqd", "in.json"))
    same_answers("in.json", "out.tqd")
    os.chdir(shown)


def partitions(chance):
    """Ranks in any files, in any order: the same bytes of file and of answer."""
    ranks = [f"job/rank{r}.json" for r in range(5)]
    os.mkdir("job")
    for r, path in enumerate(ranks):
        with open(path, "wb") as f:
            subprocess.run([FIXTURES, "multi-rank", "--rank", str(r), "--world", "5", "--steps", "2"], stdout=f,
                           check=True)
    whole = digest("all.tqd", "job")
    asked = [["summary", "--json"], ["top"], ["comms", "--json"]]
    want = [run(*words, "all.tqd") for words in asked]
    for turn in range(4):
        order, files = ranks[:], []
        chance.shuffle(order)
        while order:
            n = chance.randint(1, len(order))
            files.append(f"part{turn}-{len(files)}.tqd")
            digest(files[-1], *order[:n])
            order = order[n:]
        chance.shuffle(files)
        expect(f"merged in turn {turn}", digest(f"merged{turn}.tqd", *files, files[0]) == whole, True)
        for words, answer in zip(asked, want):
            expect(f"{words} in turn {turn}", run(*words, *files), answer)
    expect("a file of the oracle's own", tqd.file_of(tqd.records(whole)), whole)
    return whole


def hostile(whole, chance):
    """One error each, and no more memory than there is."""
    def refused(what, data):
        with open("bad.tqd", "wb") as f:
            f.write(data)
        code, _, err = run("summary", "bad.tqd", limit=True)
        lines = [line for line in err.decode().splitlines() if line.startswith("traceq: ")]
        expect(f"{what}: exit code", code, 2)
        expect(f"{what}: errors in {err!r}", len(lines), 1)

    record = tqd.records(whole)[0][1]
    one = tqd.file_of([("t.json", record)])
    for at in [0, 5, 8, 31, 32, 40, 60, 61, 100] + [chance.randrange(len(one)) for _ in range(10)] + [len(one) - 1]:
        refused(f"cut at {at}", one[:at])
        if at < len(one) - 1:
            refused(f"changed at {at}", one[:at] + bytes([one[at] ^ 1 << chance.randrange(8)]) + one[at + 1:])
    parts = tqd.sections(record)
    huge = b"\xff" * 8 + b"\x7f"
    for name in ["facts", "page summary"]:
        for data in [b"", huge, parts[name][:-1], parts[name] + b"\0", huge * 4096, b"\0" * (60 << 20)]:
            refused(f"{name} of {len(data)} bytes", tqd.file_of([("t.json", tqd.record_of({**parts, name: data}))]))
    for data in [b"", huge, parts["digest"][:-1], huge * 4096, b"\0" * (60 << 20), b"\x02" * (60 << 20)]:
        made = tqd.file_of([("t.json", tqd.record_of({**parts, "digest": data}))])
        with open("bad.tqd", "wb") as f:
            f.write(made)
        code, _, err = run("diff", "bad.tqd", "all.tqd", limit=True)
        expect(f"a digest of {len(data)} bytes: {err!r}", (code, err.count(b"traceq: ")), (2, 1))


def main():
    chance = random.Random(17)
    with tempfile.TemporaryDirectory() as folder:
        for name in SCENARIOS:
            path = f"{folder}/{name}.json"
            with open(path, "wb") as f:
                subprocess.run([FIXTURES, name, "--steps", "3"], stdout=f, check=True)
            of_trace(folder, name, path)
        real = sorted(glob.glob(f"{SHARED}/traces/*.json.gz"))
        for path in real:
            name = os.path.basename(path)[:-len(".json.gz")]
            if EVERYTHING or name in REAL:
                of_trace(folder, name, path)
        here = os.getcwd()
        os.chdir(folder)
        hostile(partitions(chance), chance)
        os.chdir(here)
    for f in failures[:20]:
        print("FAIL", f)
    if not real:
        print("skip digests: no real traces here")
    print(f"{checked - len(failures)} passed, {len(failures)} failed, {int(not real)} skipped")
    return 1 if failures else 0


sys.exit(main())
