#!/usr/bin/env python3
"""rocprofv3's JSON, rocpd and CSVs, read by other hands: kernels by name, copies by direction, launch delays, busy time.

The real results are those of SHARED (skipped where they are not there); a drawn document has what
they lack: calls, copies, ranges.  Every figure is compared to the ns.
"""
import collections
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

from judging import rocpd_file, rocprof_tables

TRACEQ = os.environ["TRACEQ"]
REAL = os.path.join(os.environ.get("SHARED", "../shared"), "samples/rocprofv3/908_results.json.gz")
HAS_SQLITE = b"SQLite" in subprocess.run([TRACEQ, "--version"], stdout=subprocess.PIPE, check=True).stdout
passed, failures, skipped = 0, [], 0 if HAS_SQLITE else 1


def expect(what, have, want):
    global passed
    if have == want:
        passed += 1
    else:
        failures.append(f"FAIL {what}: {have!r}, expected {want!r}")


def ask(path, *argv):
    done = subprocess.run([TRACEQ, *argv, path, "--json", "-q"],
                          capture_output=True)
    if done.returncode > 1 or done.returncode == 1 and argv[0] != "check":
        failures.append(f"FAIL {argv} {path}: {done.stderr.decode()}")
        raise SystemExit("\n".join(failures))
    return {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]}


def union(spans):
    total, end = 0, None
    for a, b in sorted(spans):
        if end is None or a > end:
            total += b - a
            end = b
        elif b > end:
            total += b - end
            end = b
    return total


def check(what, path, document, has_sizes=True):
    process = document["rocprofiler-sdk-tool"][0]
    names = {k["kernel_id"]: k["formatted_kernel_name"] for k in process["kernel_symbols"]}
    gpus = {a["id"]["handle"]: a["logical_node_type_id"] for a in process["agents"] if a["type"] == 2}
    records = process["buffer_records"]
    kernels = collections.defaultdict(list)
    spans = collections.defaultdict(list)
    for d in records["kernel_dispatch"]:
        span = d["start_timestamp"], d["end_timestamp"]
        kernels[names[d["dispatch_info"]["kernel_id"]]].append(span)
        spans[gpus[d["dispatch_info"]["agent_id"]["handle"]]].append(span)
    have = {r["name"]: (r["calls"], r["device_sum_ns"])
            for r in ask(path, "kernels", "-n", "0")["kernels"]}
    sums = {n: (len(s), sum(b - a for a, b in s)) for n, s in kernels.items()}
    # What copies and sets as a kernel is listed with the kernels all the same.
    expect(f"{what}: kernels", have, sums)
    check_copies(what, path, process, gpus, spans, has_sizes)
    busy = {r["gpu"]: r["busy_ns"] for r in ask(path, "info")["gpus"] if r["device_events"]}
    expect(f"{what}: busy", busy, {g: union(s) for g, s in spans.items()})
    check_launches(what, path, process, records)


def check_copies(what, path, process, gpus, spans, has_sizes):
    words = {"HOST_TO_DEVICE": "HtoD", "DEVICE_TO_HOST": "DtoH", "DEVICE_TO_DEVICE": "DtoD"}
    kinds = process["strings"]["buffer_records"]
    copies = collections.defaultdict(lambda: [0, 0, 0])
    for c in process["buffer_records"]["memory_copy"]:
        word = kinds[c["kind"]]["operations"][c["operation"]].removeprefix("MEMORY_COPY_")
        source, target = (gpus.get(c[k]["handle"]) for k in ("src_agent_id", "dst_agent_id"))
        span = c["start_timestamp"], c["end_timestamp"]
        direction = words[word]
        if None not in (source, target) and source != target:
            direction = "PtoP"
        for i, n in enumerate((1, span[1] - span[0], c["bytes"] if has_sizes else 0)):
            copies[direction][i] += n
        spans[target if direction == "HtoD" else source].append(span)
    have = collections.defaultdict(lambda: [0, 0, 0])
    for r in ask(path, "copies", "-n", "0")["copies"]:
        if r["kind"] == "memcpy":
            for i, key in enumerate(("calls", "device_sum_ns", "bytes")):
                have[r["direction"]][i] += r[key] or 0
    expect(f"{what}: copies", dict(have), dict(copies))


def check_launches(what, path, process, records):
    calls = {c["correlation_id"]["internal"]: c for c in records["hip_api"]}
    work = records["kernel_dispatch"] + records["memory_copy"]
    linked = [w for w in work if w["correlation_id"]["internal"] in calls]
    delays = sorted(w["start_timestamp"] - calls[w["correlation_id"]["internal"]]["start_timestamp"]
                    for w in linked)
    t = ask(path, "check")
    expect(f"{what}: unlinked", t["launch"][0]["unlinked"], len(work) - len(linked))
    row = next(r for r in t["delays"] if r["of"] == "all" and r["delay"] == "start")
    expect(f"{what}: delays", (row["count"], row["sum_ns"], row["min_ns"], row["max_ns"]),
           (len(delays), sum(delays) if delays else None, *([delays[0], delays[-1]] if delays else
                                                            [None, None])))


def draw(rng):
    """A process of 400 launches and copies on two GPUs, with calls, ranges and odd order."""
    kinds = [{"kind": "HIP_RUNTIME_API", "operations": ["hipLaunchKernel", "hipMemcpyAsync"]},
             {"kind": "MEMORY_COPY", "operations": ["MEMORY_COPY_NONE", "MEMORY_COPY_HOST_TO_DEVICE",
                                                    "MEMORY_COPY_DEVICE_TO_HOST",
                                                    "MEMORY_COPY_DEVICE_TO_DEVICE"]},
             {"kind": "MARKER_CORE_RANGE_API", "operations": ["roctxThreadRangeA"]}]
    agents = [{"id": {"handle": 5 + i}, "type": 1 if i == 0 else 2, "logical_node_type_id": max(0, i - 1),
               "product_name": "AMD Instinct MI300X", "cu_count": 304} for i in range(3)]
    symbols = [{"kernel_id": i, "formatted_kernel_name": f"k\"{i}\"<é, {i}>", "arch_vgpr_count": 8,
                "accum_vgpr_count": 0} for i in range(1, 9)]
    dispatch, copies, calls, ranges, at = [], [], [], [], 10**15
    for i in range(1, 401):
        at += rng.randrange(500, 9000)
        correlation = {"internal": i, "external": 0}
        begin = at + rng.randrange(1000, 20000)
        record = {"thread_id": 3, "correlation_id": correlation, "start_timestamp": begin,
                  "end_timestamp": begin + rng.randrange(1, 30000), "stream_id": {"handle": i % 3}}
        is_copy = i % 5 == 0
        if i % 11:
            calls.append({"kind": 0, "operation": int(is_copy), "thread_id": 3,
                          "correlation_id": correlation, "start_timestamp": at,
                          "end_timestamp": at + 400})
        if is_copy:
            op = rng.randrange(1, 4)
            ends = {1: (5, 6), 2: (7, 5), 3: rng.choice([(6, 6), (6, 7)])}[op]
            copies.append({**record, "kind": 1, "operation": op, "bytes": rng.randrange(1, 1 << 30),
                           "src_agent_id": {"handle": ends[0]}, "dst_agent_id": {"handle": ends[1]}})
        else:
            size = {"x": 64, "y": 1, "z": 1}
            dispatch.append({**record, "kind": 3, "operation": 2, "dispatch_info": {
                "agent_id": {"handle": 6 + i % 2}, "queue_id": {"handle": 1}, "kernel_id": 1 + i % 8,
                "dispatch_id": i, "group_segment_size": 0, "workgroup_size": size, "grid_size": size}})
    ranges = [{"kind": 2, "operation": 0, "thread_id": 3, "correlation_id": {"internal": 9000},
               "start_timestamp": 10**15, "end_timestamp": at}]
    process = {"metadata": {"pid": 12}, "agents": agents,
               "strings": {"buffer_records": kinds, "marker_api": [{"key": 9000, "value": "all"}]},
               "kernel_symbols": symbols, "buffer_records": {
                   "kernel_dispatch": dispatch, "hip_api": calls, "marker_api": ranges,
                   "memory_copy": copies}}
    return {"rocprofiler-sdk-tool": [process]}


def check_real(folder):
    global skipped
    if os.path.exists(REAL):
        with gzip.open(REAL) as f:
            real = json.load(f)
        check("real", REAL, real)
        if HAS_SQLITE:
            rocpd_file.write(f"{folder}/real.db", [real], 3)
            check("real, rocpd", f"{folder}/real.db", real)
        os.mkdir(f"{folder}/real")
        rocprof_tables.write(f"{folder}/real/908", real)
        check("real, CSV", f"{folder}/real", real, False)
    else:
        skipped += 1


def main():
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(3):
            document = draw(random.Random(seed))
            path = f"{folder}/{seed}_results.json"
            with open(path, "w", encoding="utf-8") as f:
                f.write(json.dumps(document, indent=seed or None, ensure_ascii=seed == 1, sort_keys=seed == 2))
            check(f"drawn {seed}", path, document)
            for version in (3, 4) if HAS_SQLITE else ():
                path = f"{folder}/{seed}_{version}.db"
                rocpd_file.write(path, [document], version)
                check(f"drawn {seed}, rocpd {version}", path, document)
            os.mkdir(f"{folder}/{seed}")
            rocprof_tables.write(f"{folder}/{seed}/12", document)
            check(f"drawn {seed}, CSV", f"{folder}/{seed}", document, False)
        check_real(folder)
    for line in failures:
        print(line[:2000])
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
