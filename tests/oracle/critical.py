#!/usr/bin/env python3
"""`critical` against what really happens, and against what others assert of the same traces.

Predictions: fixtures are written with a fault and, by the same seed, with that taking no time; the
what-if of the one is held against the other.  The same job with a data loader in the way and with
four workers, recorded by the makers of PyTorch's profiler (tb_resnet50_nw0_a and _nw4_a).
Evidence: the syncs and event waits that Holistic Trace Analysis asserts of its traces.  Replays of
graphs: their kernels lie on the path.  Prints what differs.
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
TRACES = os.path.join(os.environ.get("SHARED", "../shared"), "traces")

failures = []
passed = 0


def expect(what, holds):
    global passed
    if holds:
        passed += 1
    else:
        failures.append(what)


def ask(*argv):
    """The tables of `critical`, by id."""
    out = subprocess.run([TRACEQ, "critical", "--json", *argv], capture_output=True, check=True)
    return {t["id"]: t for t in json.loads(out.stdout)["tables"]}


def trace(name):
    """The path of a shared trace, None where it is not there."""
    path = os.path.join(TRACES, name + ".json.gz")
    return path if os.path.exists(path) else None


def per_step(tables, scenario=None):
    """How long a step takes, or would."""
    bound = tables["bound"]["rows"][0]
    if not scenario:
        return bound["window_ns"] / bound["steps"]
    rows = [r for r in tables["what_if"]["rows"] if r["scenario"] == scenario]
    return (bound["window_ns"] - rows[0]["saves_ns"]) / bound["steps"]


# ---- without the fault ----

FAULTS = [
    # scenario, what takes no time, the what-if that says so, how far off at most
    ("dataloader-bound", "loader", "dataloader=0", 0.02),
    ("copy-bound", "copies", "copy=0", 0.02),
    ("comm-bound", "collectives", "comm=0", 0.02),
    ("launch-bound", "launches", "launch=0", 0.02),
    ("expert-dispatch", "collectives", "comm=0", 0.02),
    ("multi-gpu", "copies", "copy=0", 0.02),
    ("graphs", "launches", "launch=0", 0.02),
    ("inference", "launches", "launch=0", 0.02),
    ("runs-ahead", "launches", "launch=0", 0.02),
]


def write(folder, *argv):
    path = os.path.join(folder, "trace.json")
    with open(path, "wb") as out:
        subprocess.run([FIXTURES, *argv], stdout=out, check=True)
    return path


def check_faults():
    """Of eight steps those inside: the last has a tail of work where its thread does not wait."""
    with tempfile.TemporaryDirectory() as folder:
        for scenario, free, change, most in FAULTS:
            for seed in ("1", "7"):
                argv = (scenario, "--seed", seed, "--steps", "8")
                said = per_step(ask("--what-if", change, write(folder, *argv)), change)
                real = per_step(ask(write(folder, *argv, "--free", free)))
                expect(f"{scenario} (seed {seed}): {change} predicts {said / 1e6:.3f} ms a step, "
                       f"without it is {real / 1e6:.3f}", abs(said / real - 1) <= most)


def check_pair():
    """A ResNet-50 with its data loader in the way (nw0), and with four workers (nw4).  The first
    step has the profiler's start, and in nw4 45 ms of work that is older than the recording."""
    slow, fast = trace("tb_resnet50_nw0_a"), trace("tb_resnet50_nw4_a")
    if not slow or not fast:
        return
    a = ask("--steps", "6-10", "--what-if", "dataloader=0", slow)
    b = ask("--steps", "6-10", fast)
    said, real = per_step(a, "dataloader=0"), per_step(b)
    expect(f"tb_resnet50_nw0_a: dataloader=0 predicts {said / 1e6:.2f} ms a step, "
           f"tb_resnet50_nw4_a takes {real / 1e6:.2f}", abs(said / real - 1) <= 0.15)
    expect(f"dataloader=0 saves something: {said} of {per_step(a)}", said < 0.75 * per_step(a))


# ---- what others assert ----

def evidence(tables):
    return {(r["of"], r["evidence"]): r["count"] for r in tables["evidence"]["rows"]}


def rows_of(path, *names):
    with gzip.open(path) as f:
        return [e for e in json.load(f)["traceEvents"]
                if e.get("cat") == "cuda_sync" and e["name"] in names]


def check_hta():
    """Of hta_alexnet it counts 41 syncs, 20 of them event waits; those of streams without work in
    the trace can hold up nothing.  Of hta_event_sync_multi the sources of three waits."""
    path = trace("hta_alexnet")
    if path:
        seen = evidence(ask(path))
        calls = rows_of(path, "Stream Sync", "Context Sync", "Event Sync")
        waits = rows_of(path, "Stream Wait Event")
        expect(f"hta_alexnet: {len(calls)} calls, {len(waits)} event waits",
               (len(calls), len(waits)) == (21, 20))
        expect(f"hta_alexnet: {seen}", seen.get(("sync call", "sync_row")) == len(calls))
        named = seen.get(("stream", "event"), 0) + seen.get(("stream", "none"), 0)
        expect(f"hta_alexnet: event waits {seen}", named == len(waits))
    path = trace("hta_simple_add")
    if path:
        seen = evidence(ask(path))
        calls = rows_of(path, "Stream Sync", "Context Sync", "Event Sync")
        expect(f"hta_simple_add: {seen}", seen.get(("sync call", "sync_row")) == len(calls))
    path = trace("hta_event_sync_multi")
    if path:
        seen = evidence(ask(path))
        expect(f"hta_event_sync_multi: {seen}", seen.get(("stream", "event")) == 1)


# ---- replays ----

def check_replays():
    """Most of a serving step is kernels of replays, and the path goes through them."""
    for name in ("tl_vllm_piecewise_exec", "tl_sglang_prefilldecode"):
        path = trace(name)
        if not path:
            continue
        tables = ask("-n", "0", path)
        owners = {r["class"]: r["on_path_ns"] for r in tables["path"]["rows"]}
        known = sum(owners.values()) - owners.get("unrecorded", 0)
        expect(f"{name}: {owners}", owners.get("kernel", 0) >= 0.95 * known)
        with gzip.open(path) as f:
            events = json.load(f)["traceEvents"]
        replays = {e["args"]["correlation"] for e in events
                   if e.get("ph") == "X" and "GraphLaunch" in e["name"]}
        replayed = {e["name"] for e in events if e.get("cat") == "kernel"
                    and e["args"].get("correlation") in replays}
        on_path = {r["name"] for r in tables["owners"]["rows"] if r["class"] == "kernel"}
        if name == "tl_vllm_piecewise_exec":
            expect(f"{name}: no replayed kernel on the path", len(replayed & on_path) > 0)


check_faults()
check_pair()
check_hta()
check_replays()
for line in failures[:30]:
    print("oracle critical:", line)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
