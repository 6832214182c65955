"""Known work: what the program says it did, in the trace and in the answers of traceq."""
import collections
import os
import re

from capturing.box import compare, compare_traceq, KERNELS, same, Trace, traceq, want


def counts(box, threads):
    box.run(["n=1000", f"t={threads}", "graph=1"])
    trace = box.only()
    compare(trace, box.did[0])
    compare_traceq(trace.path, box.did[0])
    same(len({e["tid"] for e in trace.by["cuda_runtime"]}), threads, "threads")
    same(trace.doc["deviceProperties"][0]["name"], 'Fake "H200"', "device")
    same(trace.doc["deviceProperties"][0]["sharedMemPerBlockOptin"], 232448, "from the driver")
    waits = [e for e in trace.by["cuda_sync"] if e["name"] == "Stream Wait Event"]
    want(waits and all(e["args"]["wait_on_stream"] for e in waits), "what waits wait for")
    want("1 file:" in box.said and "complete" in box.said, box.said)


def one_thread(box):
    counts(box, 1)


def four_threads(box):
    counts(box, 4)


def rank(box):
    box.run(["n=100"], env={"RANK": "3", "WORLD_SIZE": "8", "LOCAL_RANK": "1"},
            out=os.path.join(box.dir, "r%r_l%l_w%w_%n_%%.json.gz"))
    trace = box.only()
    same(os.path.basename(trace.path), "r3_l1_w8_app_%.json.gz", "name")
    same(trace.doc["distributedInfo"], {"backend": "nccl", "rank": 3, "world_size": 8}, "rank")
    same(re.search(rb'"rank":\s+(\d+)', trace.text).group(1), b"3", "HTA's expression")
    want("rank 3 pid" in box.said, box.said)


def versions(box):
    first = None
    for version in ("18", "19", "22", "26", "28", "130000", "130001", "130100", "130200", "130300", "130500"):
        box.run(["n=600", "t=2", "graph=1"], env={"FAKE_CUPTI_VERSION": version},
                out=os.path.join(box.dir, f"{version}.json.gz"))
        trace = Trace(os.path.join(box.dir, f"{version}.json.gz"))
        compare(trace, box.did[0])
        same(trace.doc["cupti_version"], int(version), "version")
        shape = collections.Counter((e["ph"], e.get("cat"), e["name"]) for e in trace.events
                                    if e["ph"] in "Xsf")
        first = first or shape
        same(shape, first, f"events of version {version}")


def longer_records(box):
    """Records of a CUPTI to come, with more at their ends than we know."""
    for version, tail in (("130500", "8"), ("130500", "72"), ("140000", "256"), ("18", "8")):
        out = os.path.join(box.dir, f"{version}_{tail}.json.gz")
        box.run(["n=600", "t=2", "graph=1", "nvtx=1"], ["--kinds=+memory"], out=out,
                env={"FAKE_CUPTI_VERSION": version, "FAKE_TAIL": tail})
        compare(Trace(out), box.did[0])


def thread_ids(box):
    """Calls and ranges of a thread share a row, though CUPTI may take a while to know how to name it."""
    for how, words in (("late", 0), ("never", 1)):
        box.run(["n=100", "nvtx=1"], env={"FAKE_THREAD_IDS": how})
        trace = box.only()
        same(box.said.count("CUPTI does not tell threads by their ids"), words, box.said)
        calls = {e["tid"] for e in trace.by["cuda_runtime"]}
        ranges = {e["tid"] for e in trace.by["user_annotation"]}
        same(calls <= ranges, how == "late", f"{how}: rows of calls {calls}, of ranges {ranges}")
        os.unlink(trace.path)


def occupancy(box):
    box.run(["n=3", "mix=0"])
    got = {e["name"]: e["args"] for e in box.only().by["kernel"]}
    a = got[KERNELS[0]]
    same(a["est. achieved occupancy %"], 97, "occupancy")
    same(float(a["blocks per SM"]), 1024 / 132, "blocks per SM")
    same(float(a["warps per SM"]), 8192 / 132, "warps per SM")
    # 200 KiB of shared memory by opt-in: one block of 256 threads on 2,048.
    same(got[KERNELS[1]]["est. achieved occupancy %"], 13, "occupancy by opt-in")
    same(got[KERNELS[1]]["shared memory"], 200 * 1024 + 1024, "shared memory")
    # By hand, for 256 threads of 32 registers: 64 / 8 = 8 blocks by warps, 65,536 / (8 x 1,024) = 8
    # by registers; of 228 KiB (1 + 1) and (201 + 1) KiB are 114 blocks and 1.
    for name, active, by, smem in ((KERNELS[0], 8, "WARPS|REGS", 114), (KERNELS[1], 1, "SMEM", 1)):
        same(got[name]["occupancy"], {
            "activeBlocksPerMultiprocessor": active, "limitingFactors": by, "blockLimitRegs": 8,
            "blockLimitSharedMem": smem, "blockLimitWarps": 8, "blockLimitBlocks": 32,
            "allocatedRegistersPerBlock": 8192,
            "allocatedSharedMemPerBlock": got[name]["shared memory"] + 1024}, name)
    again = os.path.join(box.dir, "again.json.gz")
    box.run(["n=3", "mix=0"], out=again)
    tables = traceq("kernels", again, "-n", "0")
    rows = {r["name"]: r for r in tables["kernels"]}
    for name, percent in zip(KERNELS, (97, 13, 97)):
        same(rows[name]["est_occupancy_ratio"], percent / 100, f"kernels: {name}")
        same(round(rows[name]["blocks_per_sm"], 9), round(1024 / 132, 9), f"kernels: {name}")
    same(round(tables["devices"][0]["est_occupancy_ratio"], 12),
         round((0.97 * 1000 + 0.13 * 1010 + 0.97 * 1020) / 3030, 12), "kernels: weighted by time")


def graphs(box):
    box.run(["n=100", "mix=0", "graph=1"], ["--graph", "graph"])
    names = box.only().names("kernel")
    same(names["CUDA Graph 3"], 10, "graph launches")
    same(names["graph_kernel"], 0, "nodes")


def kinds(box):
    box.run(["n=200"], ["--kinds", "kernel,runtime", "--no-flow"])
    trace = box.only()
    same(len(trace.by["kernel"]), 200, "kernels")
    same([c for c in ("gpu_memcpy", "gpu_memset", "cuda_sync", "ac2g") if trace.by[c]], [], "kinds")
    for f in box.files():
        os.unlink(f)
    box.run(["n=200"], ["--kinds=+events,-copy"])
    trace = box.only()
    same((len(trace.by["cuda_event"]), len(trace.by["gpu_memcpy"])), (2, 0), "events, copies")
    box.run(["n=1"], ["--kinds", "kernels"], code=125)
    want("unknown kind 'kernels'; there are kernel, copy" in box.said, box.said)


def queries(box):
    """Asking whether something is done is no wait, whatever CUPTI makes of it."""
    for env in ({}, {"FAKE_ALL_SYNCS": "1"}, {"FAKE_ALL_SYNCS": "1", "FAKE_CUPTI_VERSION": "23"}):
        box.run(["n=100", "mix=1", "query=40"], env=env)
        trace = box.only()
        got = trace.names("cuda_sync")
        same(got["Event Sync"], 0, f"queries written as waits, {env}")
        same(got["Stream Sync"], 1, f"real waits, {env}")
        for f in box.files():
            os.unlink(f)


def windows(box):
    box.run(["n=400", "profiler=1", "mix=0", "us=20"], ["--window", "profiler"])
    trace = box.only()
    trace.sane()
    same(len(trace.by["kernel"]), 200, "kernels between start and stop")
    same(len(trace.by["cuda_runtime"]), 200, "calls between start and stop")
    want("Iteration Start: traceq #1" in {e["name"] for e in trace.events}, "window's instant")
    for f in box.files():
        os.unlink(f)
    box.run(["n=400", "nvtx=1", "mix=0", "us=50"], ["--window", "nvtx:step 2"])
    trace = box.only()
    got = trace.names("user_annotation")
    same((got["step 2"], got["step 1"], got["forward"]), (10, 0, 10), "ranges in windows")
    want(80 <= len(trace.by["cuda_runtime"]) <= 100, "calls in windows")
    want(len([e for e in trace.events if e["name"].startswith("Iteration Start")]) == 10, "windows")


def delay(box):
    box.run(["n=4000", "mix=0", "us=1000"],
            ["--delay", "500ms", "--warmup", "400ms", "--duration", "2s"])
    trace = box.only()
    clock = trace.end["clock"][0][0]
    base = trace.doc["baseTimeNanoseconds"]
    first = min(e["ts"] for e in trace.by["kernel"]) * 1000 + base - clock
    last = max(e["ts"] + e["dur"] for e in trace.by["kernel"]) * 1000 + base - clock
    want(5e8 <= first < last <= 25e8 + 1e4, f"first {first} last {last}")
    want(10 < len(trace.by["kernel"]) < 2100, f"{len(trace.by['kernel'])} kernels")


def nvml(box):
    box.run(["n=200", "mix=0", "us=1000", "hold=3000"], ["--nvml", "20ms", "--flush", "100ms"])
    trace = box.only()
    got = {e["name"]: e["args"][""] for e in trace.by["nvml"]}
    same(got["power (W)"], 500.5, "power")
    same((got["GPU utilization (%)"], got["SM clock (MHz)"], got["memory used (MiB)"]),
         (97, 1980, 1024), "others")
    want(got["mean power (W)"] > 0, "energy")
    want("temperature (C)" not in got, "a counter that is not supported")
    (_, began), (_, ended) = trace.end["clock"]
    want(10 < trace.names("nvml")["power (W)"] <= (ended - began) / 2e7 + 1, "samples")
    box.run(["n=10", "hold=2000"], ["--nvml", "20ms", "--flush", "100ms"],
            env={"FAKE_NVML_RC": "9"})
    want("NVML does not start (code 9)" in box.said, box.said)
