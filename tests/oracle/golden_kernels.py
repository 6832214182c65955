#!/usr/bin/env python3
"""Compares `kernels`, `copies` and `comms` with figures computed in other ways, exactly.

1. The reference's figures for real traces ($SHARED/golden), in integer nanoseconds.
2. The same real traces ($SHARED/traces), read by Python's own JSON parser: means weighted by
   duration, deviations, quantiles, launch configurations, exposed time by kind of copy.
3. The generator's answers for its scenarios ($FIXTURES).
Where $SHARED is absent, parts 1 and 2 are skipped with a word.
"""
import collections
import decimal
import glob
import gzip
import json
import math
import os
import re
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
SCENARIOS = ("healthy", "dataloader-bound", "copy-bound", "launch-bound", "comm-bound", "leak",
             "gpu-only", "multi-rank", "graphs", "rocm", "tiny", "inference", "multi-stream",
             "multi-gpu", "serving-full-queue", "runs-ahead", "second-idle")

checked = collections.Counter()
failures = []


def expect(trace, what, got, want):
    checked[trace] += 1
    if got != want:
        failures.append(f"{trace}: {what}: traceq {got!r}, reference {want!r}")


def expect_near(trace, what, got, want, relative=1e-9, absolute=1e-9):
    checked[trace] += 1
    if (got is None) != (want is None) or (got is not None and not math.isclose(
            float(got), float(want), rel_tol=relative, abs_tol=absolute)):
        failures.append(f"{trace}: {what}: traceq {got!r}, reference {want!r}")


def ns(us):
    return None if us is None else int((decimal.Decimal(us) * 1000).to_integral_value())


def traceq(command, path, *more):
    done = subprocess.run([TRACEQ, command, path, "--json", "-q", *more], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode:
        failures.append(f"{path}: traceq {command}: exit {done.returncode}: {done.stderr.decode()}")
        return {}
    return {t["id"]: t["rows"]
            for t in json.loads(done.stdout, parse_float=decimal.Decimal)["tables"]}


def total(rows, key):
    return sum(r[key] or 0 for r in rows)


# ---- 1. the reference's figures ---------------------------------------------------------------


def check_kernels(name, gold, kernels):
    rows = kernels.get("kernels", [])
    expect(name, "kernels.count", total(rows, "calls"), gold["kernels"]["count"])
    expect(name, "kernels.distinct", len(rows), gold["kernels"]["distinct"])
    expect(name, "kernels.total", total(rows, "device_sum_ns"), ns(gold["kernels"]["total_us"]))
    decades = kernels.get("durations", [])
    expect(name, "durations: kernels", total(decades, "kernels"), gold["kernels"]["count"])
    expect(name, "durations: time", total(decades, "device_sum_ns"),
           ns(gold["kernels"]["total_us"]))
    by_name = {r["name"]: r for r in rows}
    for want in gold["kernels"]["top"]:
        row = by_name.get(want["name"], {})
        what = f"kernel {want['name'][:60]}"
        expect(name, f"{what} calls", row.get("calls"), want["count"])
        for key, gold_key in (("device_sum_ns", "total_us"), ("min_ns", "min_us"),
                              ("max_ns", "max_us")):
            expect(name, f"{what} {key}", row.get(key), ns(want[gold_key]))
        expect_near(name, f"{what} mean", row.get("mean_ns"), decimal.Decimal(want["mean_us"]) * 1000,
                    absolute=0.001)


def check_types(name, gold, kernels):
    for device, want in gold["devices"].items():
        rows = [r for r in kernels.get("types", []) if r["device"] == int(device)]

        def time_with(*words):
            return sum(r["time_ns"] for r in rows if all(w in r["types"] for w in words))
        expect(name, f"types {device} busy", total(rows, "time_ns"), ns(want["busy_us"]))
        expect(name, f"types {device} compute", time_with("computation"),
               ns(want["compute_kernel_union_us"]))
        expect(name, f"types {device} comm", time_with("communication"), ns(want["comm_union_us"]))
        expect(name, f"types {device} overlap", time_with("computation", "communication"),
               ns(want["comm_compkernel_overlap_us"]))


def check_copies(name, gold, copies):
    rows = copies.get("copies", [])
    transfers = [r for r in rows if r["kind"] == "memcpy"]
    for direction, want in (gold["memcpy"].get("by_kind") or {}).items():
        mine = [r for r in transfers if r["direction"] == direction]
        expect(name, f"{direction} count", total(mine, "calls"), want["count"])
        expect(name, f"{direction} time", total(mine, "device_sum_ns"), ns(want["total_us"]))
        expect(name, f"{direction} bytes", total(mine, "bytes"), want["bytes"])
        if len(mine) == 1 and want["bytes"]:
            expect_near(name, f"{direction} bandwidth", mine[0]["bandwidth_bytes_per_s"],
                        decimal.Decimal(want["mean_GBps"]) * 10**9, relative=1e-5, absolute=1000)
    by_memory = collections.Counter()
    for copy, want in (gold["memcpy"].get("by_name") or {}).items():
        spelled = re.fullmatch(r"Memcpy (\w+) \((\w+) -> (\w+)\)", copy)
        if spelled:
            direction, source, target = spelled.groups()
            key = (direction, source.lower(), target.lower())
            mine = [r for r in transfers if (r["direction"], r["from"], r["to"]) == key]
            by_memory[key] += 1
            expect(name, f"{copy} count", total(mine, "calls"), want["count"])
            expect(name, f"{copy} time", total(mine, "device_sum_ns"), ns(want["total_us"]))
            expect(name, f"{copy} bytes", total(mine, "bytes"), want["bytes"])
    expect(name, "memcpy total", total(transfers, "device_sum_ns"), ns(gold["memcpy"]["total_us"]))
    sets = [r for r in rows if r["kind"] == "memset"]
    expect(name, "memset count", total(sets, "calls"), gold["memset"]["count"])
    expect(name, "memset time", total(sets, "device_sum_ns"), ns(gold["memset"]["total_us"]))
    expect(name, "memset bytes", total(sets, "bytes"), gold["memset"]["bytes"])
    if gold["devices"]:
        whole = copies["totals"][0]
        for key, gold_key in (("exposed_ns", "exposed_memcpy_us"), ("union_ns", "memcpy_union_us")):
            expect(name, f"copies {key}", whole[key],
                   sum(ns(d[gold_key]) for d in gold["devices"].values()))


def check_comms(name, gold, comms):
    got = {str(r["device"]): r for r in comms.get("devices", [])}
    for device, want in gold["devices"].items():
        row = got.get(device)
        if row is None:
            expect(name, f"comm {device}", 0, ns(want["comm_union_us"]))
            continue
        for key, gold_key in (("union_ns", "comm_union_us"), ("exposed_ns", "exposed_comm_us"),
                              ("compute_overlap_ns", "comm_comp_overlap_us"),
                              ("kernel_overlap_ns", "comm_compkernel_overlap_us")):
            expect(name, f"comm {device} {key}", row[key], ns(want[gold_key]))
        for key, gold_key in (("compute_overlap_ratio", "comm_comp_overlap_pct_of_comm"),
                              ("kernel_overlap_ratio", "comm_compkernel_overlap_pct_of_comm")):
            expect_near(name, f"comm {device} {key}", row[key],
                        decimal.Decimal(want[gold_key]) / 100, relative=1e-7)
    for key in ("calls", "device_sum_ns"):
        sums = [total(comms.get(t, []), key) for t in ("devices", "collectives", "streams")]
        expect(name, f"comms {key}", sums, sums[:1] * 3)


# ---- 2. real traces, read again -----------------------------------------------------------------


def read(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8", errors="replace") as f:
        trace = json.loads(f.read(), strict=False, parse_float=decimal.Decimal)
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    cats = {"kernel": "kernel", "gpu_memcpy": "memcpy", "memcpy": "memcpy", "gpu_memset": "memset",
            "memset": "memset"}
    work = []
    gpu = gpu_of(trace)
    for e in events:
        cat = cats.get(str(e.get("cat", "")).lower()) if isinstance(e, dict) else None
        if cat and e.get("ph") == "X":
            args = e.get("args") or {}
            start = ns(e["ts"])
            work.append({"kind": cat, "name": str(e["name"]), "start": start,
                         "end": start + ns(e["dur"]), "args": args,
                         "device": int(args.get("device", e["pid"])), "gpu": gpu})
    return work


def gpu_of(trace):
    """What all devices listed have: threads, registers, shared memory, capability; else None."""
    keys = ("maxThreadsPerMultiprocessor", "regsPerMultiprocessor", "sharedMemPerMultiprocessor",
            "computeMajor", "computeMinor", "warpSize")
    listed = {tuple(d.get(k) for k in keys) for d in trace.get("deviceProperties", [])} \
        if isinstance(trace, dict) else set()
    one = listed.pop() if len(listed) == 1 else (None,)
    return one if None not in one and one[-1] == 32 else None


def is_comm(e):
    return e["kind"] == "kernel" and re.search(
        "nccl|rccl|cross_device_reduce", e["name"], re.I) is not None


def union(events):
    out = []
    for a, b in sorted((e["start"], e["end"]) for e in events if e["end"] > e["start"]):
        if out and a <= out[-1][1]:
            out[-1][1] = max(out[-1][1], b)
        else:
            out.append([a, b])
    return out


def minus(a, b):
    """Length of set a without set b."""
    length, j = 0, 0
    for start, end in a:
        while j < len(b) and b[j][1] <= start:
            j += 1
        k, at = j, start
        while k < len(b) and b[k][0] < end:
            length += max(0, b[k][0] - at)
            at = max(at, b[k][1])
            k += 1
        length += max(0, end - at)
    return length


def weighted(events, value):
    known = [(e["end"] - e["start"], value(e)) for e in events if value(e) is not None]
    time = sum(d for d, _ in known)
    return sum(d * v for d, v in known) / time if time else None


def blocks(e):
    v = e["args"].get("blocks per SM")
    return None if v is None else float(v)


def computed(e):
    """Kineto's estimate, with as much shared memory as a block may have."""
    a = e["args"]
    threads, registers, shared, major, minor, _ = e["gpu"]
    block = math.prod(a["block"])
    warps = math.ceil(block / 32)
    holds = [{(7, 5): 16, (8, 6): 16, (8, 7): 16, (8, 9): 24, (12, 0): 24}.get((major, minor), 32),
             threads // 32 // warps]
    if a["registers per thread"]:
        warp = math.ceil(a["registers per thread"] * 32 / 256) * 256
        holds.append(registers // 4 // warp * 4 // warps)
    bytes_each = math.ceil(a["shared memory"] / 256) * 256 if major < 8 else \
        math.ceil(a["shared memory"] / 128) * 128 + 1024
    if bytes_each:
        holds.append(shared // bytes_each)
    return min(min(holds), blocks(e)) * block / threads


def occupancy(e):
    v = e["args"].get("est. achieved occupancy %")
    if v is None or float(v) > 0:
        return None if v is None else float(v) / 100
    if e["gpu"] and blocks(e) is not None:
        return 0 if computed(e) < 0.005 else computed(e)
    least = min(blocks(e) or 0, 1) * math.prod(e["args"].get("block", [32])) / 2048
    return 0 if least < 0.005 else None


def quantile(values, q):
    values = sorted(values)
    h = (len(values) - 1) * q
    low = math.floor(h)
    high = min(low + 1, len(values) - 1)
    return values[low] + (h - low) * (values[high] - values[low])


def check_kernel_again(name, row, events):
    what = f"kernel {row['name'][:60]}"
    d = [e["end"] - e["start"] for e in events]
    expect_near(name, f"{what} occupancy", row["est_occupancy_ratio"], weighted(events, occupancy))
    expect_near(name, f"{what} blocks", row["blocks_per_sm"], weighted(events, blocks))
    expect_near(name, f"{what} p50", row["p50_ns"], quantile(d, 0.5))
    expect_near(name, f"{what} p95", row["p95_ns"], quantile(d, 0.95))
    mean = decimal.Decimal(sum(d)) / len(d)
    expect_near(name, f"{what} std", row["std_ns"], None if len(d) < 2 else math.sqrt(
        sum((x - mean) ** 2 for x in d) / (len(d) - 1)))
    configs = collections.Counter(
        (tuple(e["args"].get("grid") or ()), tuple(e["args"].get("block") or ()),
         e["args"].get("registers per thread"), e["args"].get("shared memory")) for e in events
        if e["args"].get("grid") or e["args"].get("registers per thread") is not None)
    expect(name, f"{what} configs", row["configs"] or 0, len(configs))
    if configs:
        shown = (tuple(map(int, row["grid"].split(","))), tuple(map(int, row["block"].split(","))),
                 row["registers"], row["shared_bytes"])
        expect(name, f"{what} config", configs[shown], max(configs.values()))
        expect(name, f"{what} config calls", row["config_calls"], max(configs.values()))


def check_again(name, work, kernels, copies):
    by_name = collections.defaultdict(list)
    for e in work:
        if e["kind"] == "kernel":
            by_name[e["name"]].append(e)
    for row in kernels.get("kernels", []):
        events = by_name.get(row["name"])
        if events:  # names with odd bytes are spelled in another way
            check_kernel_again(name, row, events)
    for row in kernels.get("devices", []):
        events = [e for e in work if e["kind"] == "kernel" and e["device"] == row["device"]]
        expect_near(name, f"device {row['device']} occupancy", row["est_occupancy_ratio"],
                    weighted(events, occupancy))
        expect_near(name, f"device {row['device']} blocks", row["blocks_per_sm"],
                    weighted(events, blocks))
    for row in copies.get("copies", []):
        if row["kind"] != "memcpy" or not row["from"] or not row["to"]:
            continue
        spelled = f"Memcpy {row['direction']} ({row['from']} -> {row['to']})".lower()
        here = [e for e in work if e["device"] == row["device"]]
        mine = union(e for e in here if e["name"].lower() == spelled)
        hides = union(e for e in here if e["kind"] != "memcpy")
        expect(name, f"{spelled} union", row["union_ns"], sum(b - a for a, b in mine))
        expect(name, f"{spelled} exposed", row["exposed_ns"], minus(mine, hides))


def compare(figures):
    with open(figures, encoding="utf-8") as f:
        gold = json.load(f, parse_float=decimal.Decimal)
    name = gold["name"]
    path = os.path.join(SHARED, "traces", f"{gold['name']}.json.gz")
    kernels, copies = traceq("kernels", path), traceq("copies", path)
    check_kernels(name, gold, kernels)
    check_types(name, gold, kernels)
    check_copies(name, gold, copies)
    check_comms(name, gold, traceq("comms", path))
    check_again(name, read(path), kernels, copies)


# ---- 3. generated scenarios -----------------------------------------------------------------------


def check_scenario(scenario, folder):
    path = os.path.join(folder, "t.json")
    with open(path, "wb") as f:
        subprocess.run([FIXTURES, scenario], stdout=f, check=True)
    want = json.loads(subprocess.run([FIXTURES, "--answers", scenario], stdout=subprocess.PIPE,
                                     check=True).stdout)
    kernels, copies, comms = (traceq(c, path) for c in ("kernels", "copies", "comms"))
    rows = {r["name"]: r for r in kernels.get("kernels", [])}
    for k in want["kernels"]:
        row = rows.get(k["name"], {})
        expect(scenario, f"{k['name'][:60]} calls", row.get("calls"), k["calls"])
        expect(scenario, f"{k['name'][:60]} time", row.get("device_sum_ns"), k["total_ns"])
    transfers = copies.get("copies", [])
    for direction, k in want["memcpy"].items():
        mine = [r for r in transfers if r["direction"] == direction]
        expect(scenario, f"{direction}", [total(mine, key) for key in
                                          ("calls", "bytes", "device_sum_ns")],
               [k["count"], k["bytes"], k["total_ns"]])
    sets = [r for r in transfers if r["direction"] == "set"]
    expect(scenario, "set", [total(sets, key) for key in ("calls", "bytes", "device_sum_ns")],
           [want["memset"][key] for key in ("count", "bytes", "total_ns")])
    if want["devices"]:
        expect(scenario, "exposed copies", copies["totals"][0]["exposed_ns"],
               sum(d["exposed_memcpy_ns"] for d in want["devices"].values()))
    got = {str(r["device"]): r for r in comms.get("devices", [])}
    for device, d in want["devices"].items():
        row = got.get(device, {"union_ns": 0, "exposed_ns": 0})
        expect(scenario, f"comm {device}", [row["union_ns"], row["exposed_ns"]],
               [d["comm_ns"], d["exposed_comm_ns"]])
        types = [r for r in kernels["types"] if r["device"] == int(device)]
        expect(scenario, f"types {device}", total(types, "time_ns"), d["busy_ns"])


def check_sizes(folder):
    """All-reduces of bf16 over 8 ranks: bus bandwidth is 2 x 7/8 of the algorithm's."""
    path = os.path.join(folder, "t.json")
    with open(path, "wb") as f:
        subprocess.run([FIXTURES, "comm-bound"], stdout=f, check=True)
    with open(path, encoding="utf-8") as f:
        events = [e for e in json.load(f)["traceEvents"]
                  if e.get("cat") == "kernel" and "nccl" in e["name"]]
    rows = traceq("comms", path)["collectives"]
    wanted = collections.Counter()
    for e in events:
        a = e["args"]
        wanted[(a["Collective name"], a["dtype"], a["Group size"], 2 * a["In msg nelems"])] += 1
    expect("comm-bound", "collectives",
           {("allreduce" if r["collective"] == "all_reduce" else r["collective"], r["dtype"],
             r["ranks"], r["bytes"]): r["calls"] for r in rows}, dict(wanted))
    for r in rows:
        rate = r["bytes"] * r["calls"] * 10**9 / r["device_sum_ns"]
        expect_near("comm-bound", "algorithm bandwidth", r["algorithm_bytes_per_s"], rate)
        expect_near("comm-bound", "bus bandwidth", r["bus_bytes_per_s"],
                    rate * 2 * (r["ranks"] - 1) / r["ranks"])


def main():
    files = sorted(glob.glob(os.path.join(SHARED, "golden", "*.json")))
    for figures in files:
        compare(figures)
    with tempfile.TemporaryDirectory(prefix="traceq-kernels.") as folder:
        for scenario in SCENARIOS:
            check_scenario(scenario, folder)
        check_sizes(folder)
    for line in failures[:100]:
        print("FAIL", line)
    if len(failures) > 100:
        print(f"... {len(failures) - 100} more")
    skipped = 0 if files else 1
    if skipped:
        print(f"SKIP real traces: {SHARED}/golden is absent")
    print(f"{sum(checked.values()) - len(failures)} passed, {len(failures)} failed, "
          f"{skipped} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
