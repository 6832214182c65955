#!/usr/bin/env python3
"""Diagnoses every generated scenario and compares words and numbers with what the generator knows.

Each scenario says of itself what it is, and for every step the exact time of each part; what the device
waited for is worked out from the events by judging/ledger.py.  Then, where $SHARED is there, the real pair
of traces that differ in the number of loader processes only, and of every real trace the same ledger, and
that no line is wider than 100 columns.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from judging import ledger as own
from judging import traces
from judging.answers import spans

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
STEPS = 12
ASIDE = 1  # of twelve steps the first and the last do not count
LEAK_BYTES = 25165824

passed = 0
failures = []

# What the generator calls a scenario, and what diagnose must.  A straggler shows in no single file:
# that of a rank that waits for it computes for three quarters and has exposed collectives else.
# Of `tiny` no sync waits save 15.1 %, and 15 % make a remedy the word: 12 steps are just above, one is below.
WORDS = {"straggler": "comm-bound", "compute-bound of 12 tiny steps": "sync-bound"}
WARNED = {"healthy": [], "straggler": ["G13"]}


def expect(where, what, got, want):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{where}: {what}: {got!r}, not {want!r}")


def expect_near(where, what, got, want, tolerance=1e-9):
    global passed
    if got is not None and abs(got - want) <= tolerance * max(1, abs(want)):
        passed += 1
    else:
        failures.append(f"{where}: {what}: {got!r}, not {want!r}")


def run(args):
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def diagnose(path, *more):
    done = run([TRACEQ, "diagnose", path, "--json", "-q", *more])
    if done.returncode not in (0, 1):
        failures.append(f"{path}: exit {done.returncode}: {done.stderr.decode()}")
        return None
    tables = {t["id"]: t for t in json.loads(done.stdout)["tables"]}
    answer = {"verdict": tables["verdict"]["rows"][0],
              "rules": {r["rule"]: r for r in tables["findings"]["rows"]},
              "order": tables["findings"]["rows"]}
    if "ledger" in tables:
        answer["ledger"] = {r["part"]: r["sum_ns"] for r in tables["ledger"]["rows"]}
        answer["total"] = tables["ledger"]["footer"][0]["sum_ns"]
    return answer


def check_order(where, answer):
    """What is CRIT and saves no time; by what they could save; those that save none, worst first; symptoms; the rest."""
    ranks = ["CRIT", "WARN", "note", "unknown", "ok"]
    symptoms = {"G01", "G07", "G12", "G17", "G18", "G19"}

    def place(r):
        rank = ranks.index(r["severity"])
        found = rank <= ranks.index("note")
        saves = r["saves_ratio"] if found else None
        first = found and saves is None and rank == 0 and r["rule"] not in symptoms
        late = found and r["rule"] in symptoms
        return (0 if found else rank, late, not first, saves is None, -(saves or 0), rank if saves is None else 0)

    order = [place(r) for r in answer["order"]]
    expect(where, "what saves most first", order, sorted(order))
    for r in answer["order"]:
        expect(where, f"{r['rule']} says something", bool(r["finding"]), True)
        check_saves(where, r)
        if r["severity"] == "unknown":
            expect(where, f"{r['rule']} unknown has no share", r["share_ratio"], None)
        if r["severity"] in ("CRIT", "WARN"):
            expect(where, f"{r['rule']} has an action", bool(r["action"]), True)


TIMED_AGAIN = {"G02", "G03", "G04", "G08", "G09", "G10", "G13", "G15", "G16"}


def check_saves(where, r):
    """No more than what it takes; the same where no scenario is of just that."""
    saves, by = r["saves_ratio"], r["saves_by"]
    if saves is None:
        expect(where, f"{r['rule']} saves nothing by nothing", by, None)
        return
    expect(where, f"{r['rule']} saves within its share", 0 <= saves <= r["share_ratio"], True)
    expect(where, f"{r['rule']} by sum", by in ("what-if", "sum") and (r["rule"] in TIMED_AGAIN or by == "sum"), True)
    if by == "sum":
        expect(where, f"{r['rule']} saves its share", saves, r["share_ratio"])
    if saves < r["share_ratio"] / 2:
        expect(where, f"{r['rule']} says so", "saves at most" in r["finding"], True)


def check_freed(name, rule, what, folder):
    """What it saves, against the same run generated without what was found."""
    paths = [os.path.join(folder, f"{name}-{w}.json") for w in ("with", "without")]
    steps = []
    for path, more in zip(paths, ([], ["--free", what])):
        with open(path, "wb") as f:
            f.write(run([FIXTURES, name, "--steps", str(STEPS), *more]).stdout)
        steps.append(diagnose(path))
    if None not in steps:
        saves = steps[0]["rules"][rule]["saves_ns"]
        before, after = (s["verdict"]["step_ns"] for s in steps)
        expect(name, f"{rule} saves {saves} of {before}, without {what} it takes {after}",
               abs(before - saves - after) <= 0.02 * after, True)


LEDGER = ("compute", "exposed comm", "exposed copies")
IDLE = {"loader": "data loader", "sync": "sync", "allocator": "allocator", "checkpoint": "checkpoint", "logging": "logging",
        "gc": "garbage collection", "compile": "compiling", "queue": "full queue", "runtime": "runtime call", "op": "CPU op", "python": "Python",
        "nothing": "nothing recorded", "launch": "launch", "dependency": "dependency", "unlinked": "unknown launch"}


def check_parts(where, answer, mine):
    """The ledger against our own of the verdict's device, to the nanosecond."""
    want = {"compute": mine.ledger["compute"], "exposed comm": mine.ledger["comm"],
            "exposed copies": mine.ledger["copy"], **{f"idle: {w}": mine.ledger[k] for k, w in IDLE.items()}}
    expect(where, "ledger", answer["ledger"], want)
    expect(where, "step", answer["total"], mine.total)
    expect(where, "sum of parts", sum(answer["ledger"].values()), answer["total"])
    expect_near(where, "GPU busy", answer["verdict"]["busy_ratio"], mine.busy / mine.total)
    rules = answer["rules"]
    n = answer["verdict"]["steps"] or 1
    for rule, part in (("G03", "exposed copies"), ("G10", "idle: data loader"), ("G13", "exposed comm")):
        if rules[rule]["severity"] != "unknown":
            expect_near(where, rule, rules[rule]["value_ns"] or 0, want[part] / n)
            expect_near(where, f"{rule} share", rules[rule]["share_ratio"] or 0, want[part] / mine.total)
    expect_near(where, "G01", rules["G01"]["value_ratio"], mine.busy / mine.total)


def check_answers(where, answer, mine, know, on_device):
    """The same of the generator, which knows the parts of steps by their marks on the CPU."""
    times = spans(know, on_device)
    rows = [(r, t) for r, t in zip(know["step_rows"], times)][ASIDE:-ASIDE]
    if where == "one-gap":  # the checkpoint's step is none of those that are judged
        rows.remove(max(rows, key=lambda x: x[1][1] - x[1][0]))
    total = sum(b - a for _, (a, b) in rows)
    rows = [r for r, _ in rows]
    expect(where, "steps that count", answer["verdict"]["steps"], len(rows))
    expect(where, "time of steps", answer["total"] + mine.ledger["unrecorded"], total)
    if on_device:
        return
    parts = [r["devices"][str(answer["verdict"]["device"])] for r in rows]
    for name, key in zip(LEDGER, ("compute_ns", "exposed_comm_ns", "exposed_memcpy_ns")):
        expect(where, name, answer["ledger"][name], sum(p[key] for p in parts))
    expect(where, "idle", sum(v for k, v in answer["ledger"].items() if k not in LEDGER)
           + mine.ledger["unrecorded"], sum(p["idle_ns"] for p in parts))


def check_device(where, answer, trace):
    """Of several devices the one that computes least; its ledger."""
    mine = {d: own.Device(trace, d) for d in sorted({w.device for w in trace.work})}
    least = min(mine, key=lambda d: mine[d].shares()["compute-bound"])
    expect(where, "device", str(answer["verdict"]["device"]), least)
    return mine[least]


def check_scenario(name, folder):
    path = os.path.join(folder, f"{name}.json")
    made = run([FIXTURES, name, "--steps", str(STEPS)])
    with open(path, "wb") as f:
        f.write(made.stdout)
    know = json.loads(run([FIXTURES, "--answers", name, "--steps", str(STEPS)]).stdout)
    answer = diagnose(path)
    if answer is None:
        return
    word = "uneven-steps" if name == "one-gap" else know["diagnosis"]
    said = f"{word} of {STEPS} tiny steps" if name == "tiny" else word
    expect(name, "verdict", answer["verdict"]["verdict"], WORDS.get(said, word))
    check_order(name, answer)
    if word in WARNED:
        expect(name, "above a note",
               [r["rule"] for r in answer["order"] if r["severity"] in ("CRIT", "WARN")], WARNED[word])
    rows = know["step_rows"][ASIDE:-ASIDE]
    if know["devices"]:
        run_ = own.Run(path)
        mine = check_device(name, answer, run_)
        check_parts(name, answer, mine)
        if rows:
            check_answers(name, answer, mine, know, run_.steps.on_device)
    if word == "memory-leak":
        expect(name, "bytes a step", answer["rules"]["G14"]["value_bytes"], LEAK_BYTES)
    if word == "launch-bound":
        expect(name, "launches", answer["rules"]["G09"]["count"],
               know["launch"]["kernel"]["count"] // STEPS * len(rows))
    if word not in ("healthy", "straggler", "compute-bound", "cpu-bound", "device-only") and len(know["devices"]) < 2:
        expect(name, "one CRIT that is the verdict", answer["order"][0]["verdict"], word)
        expect(name, "exit code", run([TRACEQ, "diagnose", path, "-q", "--exit-code"]).returncode, 1)
    check_width(name, path)


def check_width(where, path):
    """Names are not cut in a pipe, but here they are all short enough; notes and reasons are sentences."""
    text = run([TRACEQ, "diagnose", path, "-q"]).stdout.decode()
    wide = [line for line in text.splitlines() if len(line) > 100 and not line.startswith(("note:", "because"))]
    expect(where, "lines of more than 100 columns", wide, [])


def check_roof(name, path, answer):
    """What it says of the roof of an op is what the table of ops has, in one step and without steps."""
    said = re.search(r"; (\S+), [\d.]+% of that, runs at ([\d.]+)% of its roof", answer["verdict"]["why"])
    expect(name, "says a roof", bool(said), True)
    if not said:
        return
    tables = json.loads(run([TRACEQ, "roofline", path, "--by", "op", "--json", "-q", "-n", "0"]).stdout)["tables"]
    ops = {r["name"]: r for t in tables if t["id"] == "ops" for r in t["rows"] if not r["is_kernel"]}
    top = max((r for r in ops.values() if r["roof_ratio"]), key=lambda r: r["own_ns"])
    expect(name, "the op", said[1], top["name"])
    expect(name, "its roof", said[2], f"{100 * top['roof_ratio']:.1f}")


def check_real():
    paths = traces.real(SHARED, 1)
    if not paths:
        print(f"SKIP: no traces in {SHARED}")
        return 1
    for path in paths:
        name = traces.name_of(path)
        answer = diagnose(path)
        if answer is None:
            continue
        check_order(name, answer)
        check_width(name, path)
        if "ledger" in answer:
            trace = own.Run(path)
            check_parts(name, answer, check_device(name, answer, trace))
        word = answer["verdict"]["verdict"]
        if name in ("tl_h100_qwen", "tl_triton"):
            check_roof(name, path, answer)
        if name == "tb_resnet50_nw0_a":
            expect(name, "the host comes second", answer["verdict"]["second"], "host-bound")
            expect(name, "G10", answer["rules"]["G10"]["severity"], "CRIT")
        if name == "tb_resnet50_nw4_a":
            expect(name, "is not the loader", "dataloader" in word, False)
            expect(name, "G10", answer["rules"]["G10"]["severity"], "ok")
    return 0


def main():
    scenarios = run([FIXTURES, "--list"]).stdout.decode().split("layouts")[0].split("\n")
    names = [line.split()[0] for line in scenarios[1:] if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            if not name.startswith("hostile-"):
                check_scenario(name, folder)
        check_freed("dataloader-bound", "G10", "loader", folder)
        check_freed("copy-bound", "G03", "copies", folder)
    skipped = check_real()
    for line in failures:
        print(line)
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
