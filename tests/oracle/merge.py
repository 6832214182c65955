#!/usr/bin/env python3
"""`traceq merge`: ranks on one clock, apart by process and ids, and nothing else of them changed.
Clocks are held against what the generator drew; events are read by Python's json alone."""
import collections
import gzip
import json
import os
import subprocess
import sys
import tempfile

from judging.reading import ns

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
PIDS = 5000000
COMM = ("nccl",)

passed, failures = 0, []


def expect(what, ok, told=""):
    global passed
    passed += bool(ok)
    if not ok:
        failures.append(f"{what}: {str(told)[:300]}")


def run(args):
    return subprocess.run([TRACEQ] + args, capture_output=True)


def read(path):
    raw = open(path, "rb").read()
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    return json.loads(raw, parse_float=str)


def rank_of(e):
    """Some processes have small negative numbers."""
    return (int(e["pid"]) + 1000) // PIDS if isinstance(e["pid"], int) else None


def slices(events):
    return [e for e in events if e.get("ph") == "X" and isinstance(e["pid"], int)]


def check_clocks(what, merged, drawn):
    """Ends of the k-th collective of all ranks, and the offsets that were drawn."""
    note = merged["traceq_merge"]["ranks"]
    expect(what + " ranks", [r["rank"] for r in note] == sorted(d["rank"] for d in drawn), note)
    ends = collections.defaultdict(list)
    for e in slices(merged["traceEvents"]):
        if e.get("cat") == "kernel" and e["name"].lower().startswith(COMM):
            ends[rank_of(e)].append(ns(e["ts"]) + ns(e["dur"]))
    expect(what + " as many", len({len(v) for v in ends.values()}) == 1 and len(ends) == len(drawn),
           {k: len(v) for k, v in ends.items()})
    worst = max(int(r.get("uncertainty_ns", 0)) for r in note)
    apart = [max(k) - min(k) for k in zip(*(sorted(v) for v in ends.values()))]
    within = sum(a <= 2 * worst + 1 for a in apart)
    expect(what + " together", within >= 0.95 * len(apart), f"{within} of {len(apart)} within {2 * worst} ns")
    reference = next((r for r in note if r.get("offset_ns") == 0), note[0])["rank"]
    zero = next(d for d in drawn if d["rank"] == reference)
    for r, d in zip(note, drawn):
        drift = (d["drift_ppb"] - zero["drift_ppb"]) * 1e-9
        expect(f"{what} drift of {r['rank']}", abs(float(r["drift"]) - drift) < 5e-6, (r["drift"], drift))


def check_apart(what, merged, folder, world):
    """Every event of every rank is there, with its own process, ids and length."""
    by_rank, calls = collections.Counter(), {}
    for e in slices(merged["traceEvents"]):
        by_rank[rank_of(e)] += 1
        call = e.get("args", {}).get("correlation")
        if call:
            other = calls.setdefault(call, rank_of(e))
            expect(f"{what} correlation {call}", other == rank_of(e), (other, rank_of(e))) if other != rank_of(e) else None
    for rank in range(world):
        own = slices(read(os.path.join(folder, f"rank{rank}.json"))["traceEvents"])
        mine = [e for e in slices(merged["traceEvents"]) if rank_of(e) == rank]
        expect(f"{what} rank {rank} events", by_rank[rank] == len(own), (by_rank[rank], len(own)))
        expect(f"{what} rank {rank} names", [e["name"] for e in own] == [e["name"] for e in mine])
        length, was = sum(ns(e["dur"]) for e in mine), sum(ns(e["dur"]) for e in own)
        expect(f"{what} rank {rank} lengths", abs(length - was) <= was * 2e-4 + len(own), (length, was))
    names = [e["args"]["name"] for e in merged["traceEvents"] if e.get("ph") == "M" and e["name"] == "process_name"]
    expect(what + " named", names and all(n.startswith("rank ") for n in names), names[:3])


def crossings(events):
    """Slices of one row that overlap in part."""
    rows, n = collections.defaultdict(list), 0
    for e in slices(events):
        rows[(e["pid"], str(e["tid"]))].append((ns(e["ts"]), -ns(e["dur"])))
    for row in rows.values():
        open_ends = []
        for start, less in sorted(row):
            while open_ends and open_ends[-1] <= start:
                open_ends.pop()
            n += bool(open_ends and open_ends[-1] < start - less)
            open_ends.append(start - less)
    return n


def check_job(what, args, folder):
    os.makedirs(folder)
    answers = os.path.join(folder + ".answers")
    subprocess.run([FIXTURES, "multi-rank", "--all-ranks", folder, "--world", "4", "--answers-to", answers] + args,
                   check=True, stdout=subprocess.DEVNULL)
    out = folder + ".json.gz"
    done = run(["merge", folder, "-o", out])
    expect(what, done.returncode == 0 and b"set by their collectives" in done.stdout, done)
    merged = read(out)
    check_clocks(what, merged, json.load(open(answers))["clocks"])
    check_apart(what, merged, folder, 4)
    whole = sum(crossings(read(os.path.join(folder, f"rank{r}.json"))["traceEvents"]) for r in range(4))
    expect(what + " crossings", crossings(merged["traceEvents"]) <= whole, (crossings(merged["traceEvents"]), whole))
    expect(what + " reliable", run(["check", out]).returncode == 0)
    text = open(out, "rb").read()
    run(["merge", folder, "-o", out, "-q", "-j", "1"])
    expect(what + " threads", open(out, "rb").read() == text)


def check_few(folder):
    job = os.path.join(folder, "drifting")
    one, out = os.path.join(job, "rank1.json"), os.path.join(folder, "one.json")
    done = run(["merge", one, "-o", out, "-q"])
    expect("one alone", done.returncode == 0 and read(out) == read(one), done.stderr)
    done = run(["merge", job, "--rank", "0,3", "--steps", "4", "-o", out, "-q"])
    got = {rank_of(e) for e in slices(read(out)["traceEvents"])} if done.returncode == 0 else done.stderr
    expect("some ranks", got == {0, 3}, got)
    copy = os.path.join(folder, "copy.json")
    open(copy, "wb").write(open(one, "rb").read())
    done = run(["merge", one, copy, "-o", out, "-q"])
    got = {rank_of(e) for e in slices(read(out)["traceEvents"])} if done.returncode == 0 else done.stderr
    expect("one rank twice", got == {1, 2}, got)
    broken = os.path.join(folder, "broken.json")
    open(broken, "w").write("no trace\n")
    os.unlink(out)
    done = run(["merge", one, broken, "-o", out])
    expect("broken", done.returncode == 2 and not os.path.exists(out) and b"broken.json" in done.stderr, done)
    done = run(["merge", one, "-o", one])
    expect("onto itself", done.returncode == 2 and len(open(one, "rb").read()) > 1000, done)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_job("steady", ["--clock-spread", "5ms", "--clock-drift", "0"], os.path.join(folder, "steady"))
        check_job("drifting", ["--clock-spread", "50ms", "--clock-drift", "60"], os.path.join(folder, "drifting"))
        check_few(folder)
    for f in failures[:40]:
        print("FAIL", f)
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return bool(failures)


sys.exit(main())
