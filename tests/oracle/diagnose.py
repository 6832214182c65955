#!/usr/bin/env python3
"""Diagnoses every generated scenario and compares words and numbers with what the generator knows.

Each scenario says of itself what it is, and for every step the exact time of each part; the time in the
data loader with the device idle is worked out here from the events.  Then, where $SHARED is there, the
real pair of traces that differ in the number of loader processes only, and on every real trace that the
ledger's parts add up and no line is wider than 100 columns.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
STEPS = 12
ASIDE = 1  # of twelve steps the first and the last do not count
LEAK_BYTES = 25165824

passed = 0
failures = []

# What the generator calls a scenario, and what diagnose must; a straggler shows in no single file.
WORDS = {"straggler": "healthy"}


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
    """Worst first; of one severity the causes before the symptoms, then by share."""
    ranks = ["CRIT", "WARN", "note", "unknown", "ok"]
    order = [ranks.index(r["severity"]) for r in answer["order"]]
    expect(where, "worst first", order, sorted(order))
    for r in answer["order"]:
        expect(where, f"{r['rule']} says something", bool(r["finding"]), True)
        if r["severity"] == "unknown":
            expect(where, f"{r['rule']} unknown has no share", r["share_ratio"], None)
        if r["severity"] in ("CRIT", "WARN"):
            expect(where, f"{r['rule']} has an action", bool(r["action"]), True)


def check_ledger(where, answer, device, rows):
    """The parts of the step against the generator's own, to the nanosecond."""
    total = sum(r["wall_ns"] for r in rows)
    parts = [r["devices"][device] for r in rows]
    ledger = answer["ledger"]
    expect(where, "step", answer["total"], total)
    expect(where, "sum of parts", sum(ledger.values()), total)
    for name, key in (("compute", "compute_ns"), ("exposed comm", "exposed_comm_ns"),
                      ("memcpy", "exposed_memcpy_ns"), ("GPU idle", "idle_ns")):
        expect(where, name, ledger[name], sum(p[key] for p in parts))
    rules = answer["rules"]
    busy = sum(p["busy_ns"] for p in parts)
    expect_near(where, "G01", rules["G01"]["value_ratio"], busy / total)
    for rule, key in (("G03", "exposed_memcpy_ns"), ("G13", "exposed_comm_ns")):
        part = sum(p[key] for p in parts)
        expect_near(where, rule, rules[rule]["value_ns"], part / len(rows))
        expect_near(where, f"{rule} share", rules[rule]["share_ratio"], part / total)


def ns(us):
    return round(us * 1000)


def union(spans):
    out = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return out


def length_outside(spans, others):
    """The length of spans outside of others, both unions."""
    total = sum(e - s for s, e in spans)
    for s, e in spans:
        for a, b in others:
            total -= max(0, min(e, b) - max(s, a))
    return total


def check_loader(where, path, answer, rows, device):
    """The loader's time with the device idle, from the events."""
    steps = [(r["start_ns"], r["start_ns"] + r["wall_ns"]) for r in rows]
    loader, busy, count = [], [], 0
    with open(path) as f:
        trace = json.load(f)
    base = rows[0]["start_ns"] - ns(next(
        e["ts"] for e in trace["traceEvents"] if e.get("name") == rows[0]["name"]))
    for e in trace["traceEvents"]:
        if e.get("ph") != "X":
            continue
        start = ns(e["ts"]) + base
        end = start + ns(e["dur"])
        if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset", "mtia_ccp_events") and str(e["pid"]) == device:
            busy.append((start, end))
        elif e["name"].startswith("enumerate(DataLoader)") and e.get("cat") != "python_function":
            if any(a <= start < b for a, b in steps):
                loader.append((start, end))
                count += 1
    got = answer["rules"]["G10"]
    if not loader:
        return
    want = length_outside(union(loader), union(busy))
    expect_near(where, "G10", got["value_ns"], want / len(rows))
    expect_near(where, "G10 share", got["share_ratio"], want / sum(r["wall_ns"] for r in rows))
    expect(where, "G10 count", got["count"], count)


def check_scenario(name, folder):
    path = os.path.join(folder, f"{name}.json")
    made = run([FIXTURES, name, "--steps", str(STEPS)])
    with open(path, "wb") as f:
        f.write(made.stdout)
    know = json.loads(run([FIXTURES, "--answers", name, "--steps", str(STEPS)]).stdout)
    answer = diagnose(path)
    if answer is None:
        return
    word = know["diagnosis"]
    expect(name, "verdict", answer["verdict"]["verdict"], WORDS.get(word, word))
    check_order(name, answer)
    if word in ("healthy", "straggler"):
        expect(name, "nothing above a note",
               [r["rule"] for r in answer["order"] if r["severity"] in ("CRIT", "WARN")], [])
    rows = know["step_rows"][ASIDE:-ASIDE]
    if rows and know["devices"]:
        device = max(know["devices"], key=lambda d: know["devices"][d]["busy_ns"])
        expect(name, "steps that count", answer["verdict"]["steps"], len(rows))
        expect(name, "device", str(answer["verdict"]["device"]), device)
        check_ledger(name, answer, device, rows)
        check_loader(name, path, answer, rows, device)
    if word == "memory-leak":
        expect(name, "bytes a step", answer["rules"]["G14"]["value_bytes"], LEAK_BYTES)
    if word == "launch-bound":
        expect(name, "launches", answer["rules"]["G09"]["count"],
               know["launch"]["kernel"]["count"] // STEPS * len(rows))
    if word not in ("healthy", "straggler", "no-device", "device-only"):
        expect(name, "one CRIT that is the verdict", answer["order"][0]["verdict"], word)
        expect(name, "exit code", run([TRACEQ, "diagnose", path, "-q", "--exit-code"]).returncode, 1)
    check_width(name, path)


def check_width(where, path):
    """Names are not cut in a pipe, but here they are all short enough."""
    text = run([TRACEQ, "diagnose", path, "-q"]).stdout.decode()
    wide = [line for line in text.splitlines() if len(line) > 100]
    expect(where, "lines of more than 100 columns", wide, [])


def check_real():
    traces = sorted(glob.glob(os.path.join(SHARED, "traces", "*.json*")))
    if not traces:
        print(f"SKIP: no traces in {SHARED}")
        return 1
    for path in traces:
        name = os.path.basename(path).split(".")[0]
        answer = diagnose(path)
        if answer is None:
            continue
        check_order(name, answer)
        check_width(name, path)
        if "ledger" in answer:
            expect(name, "sum of parts", sum(answer["ledger"].values()), answer["total"])
        word = answer["verdict"]["verdict"]
        if name == "tb_resnet50_nw0_a":
            expect(name, "verdict", word, "dataloader-bound")
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
    skipped = check_real()
    for line in failures:
        print(line)
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
