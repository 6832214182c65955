#!/usr/bin/env python3
"""Captures of known work: the test program says what it did through the fake driver, and the trace,
read by Python and by traceq, must say the same.  Then everything that can go wrong: six versions of
CUPTI, refusals, kills at any time, forks, full disks, hostile names, too little memory.

Needs the fakes (make test builds them into $B/capture); without them all is skipped.  Python's
standard library only.
"""
import collections
import concurrent.futures
import decimal
import glob
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib

B = os.environ.get("B", "build/release")
TRACEQ = os.path.abspath(os.environ.get("TRACEQ", os.path.join(B, "traceq")))
FAKE = os.path.abspath(os.path.join(B, "capture"))
LIBRARY = os.path.abspath(os.path.join(B, "libtraceq-capture.so"))
APP = os.path.join(FAKE, "app")
SAN = os.environ.get("SAN", "")
JOBS = 2
LIMIT_S = 60
KERNELS = ["saxpy(int, float, float*, float*)",
           "void reduce<float, 256>(float const*, float*, unsigned long)", "plain_c_kernel"]
GPU = {"kernel", "gpu_memcpy", "gpu_memset"}


class Failure(Exception):
    """What was expected and did not happen."""


class Skip(Exception):
    """What cannot be tried here."""


def want(condition, text):
    if not condition:
        raise Failure(text)


def same(got, expected, text):
    want(got == expected, f"{text}: {got!r}, not {expected!r}")


def wait_for(condition, what):
    until = time.monotonic() + LIMIT_S
    while not condition():
        want(time.monotonic() < until, f"waited in vain for {what}")
        time.sleep(0.01)


class Box:
    """A folder of its own, and programs run in it under capture."""

    def __init__(self):
        self.said = ""
        self.did = []
        self.leaks = True  # whether a sanitizer looks for them
        self.dir = tempfile.mkdtemp(prefix="traceq-capture.")
        self.out = os.path.join(self.dir, "out_%r.pt.trace.json.gz")

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)

    def env(self, env=None):
        e = {k: v for k, v in os.environ.items() if not re.match(
            "TRACEQ_|CUDA_|NVTX_|FAKE_|RANK|LOCAL_RANK|WORLD_SIZE|SLURM|OMPI|PMI|MV2|LD_", k)}
        e["LD_LIBRARY_PATH"] = FAKE
        e["TMPDIR"] = self.dir
        if not self.leaks:
            e["ASAN_OPTIONS"] = "exitcode=99:detect_leaks=0"
        e.update(env or {})
        return e

    def run(self, args, options=(), env=None, code=0, out=None, program=APP, kernels=0):
        """traceq capture OPTIONS -- PROGRAM ARGS: what it printed, what capture said.  With kernels,
        the program does not end before a checkpoint has so many."""
        go = os.path.join(self.dir, "go")
        args = [*args, "hold=60000", f"go={go}"] if kernels else args
        command = [TRACEQ, "capture", "-o", out or self.out, *options, "--", program, *args]
        with subprocess.Popen(command, env=self.env(env), cwd=self.dir, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as done:
            if kernels:
                wait_for(lambda: done.poll() is not None or self.committed() >= kernels,
                         f"{kernels} kernels in a checkpoint")
                with open(go, "w", encoding="utf-8"):
                    pass
            try:
                stdout, stderr = done.communicate(timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                done.kill()
                raise
        if kernels:
            os.unlink(go)
        self.said = stderr.decode(errors="replace")
        want(code is None or "Sanitizer" not in self.said, self.said[:3000])
        if code is not None:
            want(done.returncode == code,
                 f"exit {done.returncode}, not {code}\n{self.said[:1000]}")
        want(not [d for d in self.files("traceq-*") if os.path.isdir(d)],
             "the run directory was left behind")
        self.did = [json.loads(line) for line in stdout.decode().splitlines()
                    if line.startswith("{")]
        return self.said

    def committed(self):
        """Kernels in the checkpoints of all processes, by their status lines."""
        total = 0
        for path in self.files("traceq-*/*.json"):
            try:
                with open(path, "rb") as f:
                    total += json.load(f)["kernels"]
            except (OSError, ValueError):
                pass  # just replaced
        return total

    def files(self, pattern="*"):
        return sorted(glob.glob(os.path.join(self.dir, pattern)))

    def only(self):
        found = self.files()
        want(len(found) == 1 and not found[0].endswith(".part"), f"files: {found}\n{self.said}")
        return Trace(found[0])


class Trace:
    """A file as Python reads it; gzip's CRC and length are checked on the way."""

    def __init__(self, path):
        self.path = path
        self.text = gzip.open(path).read()
        self.doc = json.loads(self.text, parse_float=decimal.Decimal)  # a double is too coarse for ns
        self.events = self.doc["traceEvents"]
        self.by = collections.defaultdict(list)
        for e in self.events:
            self.by[e.get("cat", e["ph"])].append(e)
        self.end = self.doc["traceqCapture"]

    def names(self, cat):
        return collections.Counter(e["name"] for e in self.by[cat])

    def sane(self):
        """What holds for every file."""
        same(self.end["events"], len(self.events), "events told")
        for e in self.events:
            want("name" in e, f"no name: {e}")
            want(e["ph"] != "X" or ("cat" in e and e["dur"] >= 0 and e["ts"] >= 0), f"odd: {e}")
        starts = collections.Counter(e["id"] for e in self.by["ac2g"] if e["ph"] == "s")
        ends = collections.Counter(e["id"] for e in self.by["ac2g"] if e["ph"] == "f")
        api = collections.Counter(e["args"]["correlation"]
                                  for e in self.by["cuda_runtime"] + self.by["cuda_driver"])
        want(max(api.values(), default=1) == 1, "a correlation with two calls")
        for cat in GPU:
            for e in self.by[cat]:
                c = e["args"]["correlation"]
                want(api[c] == 1 and starts[c] == 1 and ends[c] >= 1, f"no launch of {e}")
                same((e["pid"], e["tid"]), (e["args"].get("device", e["args"].get("inDevice")), e["args"]["stream"]), "row")
        rows = {(e["pid"], e["tid"]) for e in self.events
                if e["ph"] == "M" and e["name"] == "thread_name"}
        for e in self.events:
            want(e["ph"] != "X" or e["pid"] == -1 or e["tid"] == 1 or (e["pid"], e["tid"]) in rows,
                 f"a row without a name: {e}")


def ns(event):
    return round(event["dur"] * 1000)


def compare(trace, did, complete=True):
    """The trace against what the program says it did."""
    trace.sane()
    same(trace.end["complete"], complete, "complete")
    kernels = trace.names("kernel")
    for name, n, total in zip(KERNELS, did["kernels"], did["kernel_ns"]):
        same(kernels[name], n, name)
        same(sum(ns(e) for e in trace.by["kernel"] if e["name"] == name), total, f"ns of {name}")
    same(kernels["graph_kernel"], did["graph_nodes"], "graph nodes")
    copies = trace.by["gpu_memcpy"]
    same(trace.names("gpu_memcpy"), collections.Counter(
        {"Memcpy HtoD (Pageable -> Device)": did["copies"]} if did["copies"] else {}), "copies")
    same(sum(e["args"]["bytes"] for e in copies), did["copy_bytes"], "bytes copied")
    same(sum(ns(e) for e in copies), did["copy_ns"], "ns of copies")
    for e in copies:
        want(abs(float(e["args"]["memory bandwidth (GB/s)"]) - 65536 / 2621) < 1e-12, "bandwidth")
    same(sum(e["args"]["bytes"] for e in trace.by["gpu_memset"]), did["set_bytes"], "bytes set")
    same(len(trace.by["cuda_runtime"]), did["api"], "runtime calls")
    same(trace.names("cuda_runtime")["cudaLaunchKernel"], sum(did["kernels"]), "launches")
    want("cudaGetDevice" not in trace.names("cuda_runtime"), "noise was recorded")


def traceq(command, path, *more):
    done = subprocess.run([TRACEQ, command, path, "--json", "-q", *more], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    want(done.returncode == 0, f"traceq {command}: exit {done.returncode} {done.stderr.decode()}")
    return {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]}


def compare_traceq(path, did):
    """traceq's own answers against what the program did."""
    top = traceq("top", path, "-n", "0")
    rows = {r["name"]: r for r in top["device"]}
    for name, n, total in zip(KERNELS, did["kernels"], did["kernel_ns"]):
        same((rows[name]["calls"], rows[name]["device_sum_ns"]), (n, total), f"top: {name}")
    totals = top["totals"][0]
    same(totals["kernel_ns"], sum(did["kernel_ns"]) + 1000 * did["graph_nodes"], "top: kernels")
    same(totals["memcpy_ns"], did["copy_ns"], "top: copies")
    same(totals["memset_ns"], did["set_ns"], "top: sets")
    check = traceq("check", path)
    text = json.dumps(check)
    want('"verdict": "bad"' not in text and '"verdict": "warn' not in text, f"check: {text[:500]}")
    launch = check["launch"][0]
    work = sum(did["kernels"]) + did["graph_nodes"] + did["copies"] + did["sets"]
    same((launch["device_events"], launch["matched"], launch["unlinked"], launch["graph"],
          launch["launches_without_device"]), (work, work, 0, did["graph_nodes"], 0),
         "check: launch links")
    summary = traceq("summary", path)
    want(summary, "summary: no tables")
    diagnose = traceq("diagnose", path)
    want(diagnose, "diagnose: no tables")


# ---- known work ----

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
    for version in ("18", "19", "22", "26", "28", "130001"):
        box.run(["n=600", "t=2", "graph=1"], env={"FAKE_CUPTI_VERSION": version},
                out=os.path.join(box.dir, f"{version}.json.gz"))
        trace = Trace(os.path.join(box.dir, f"{version}.json.gz"))
        compare(trace, box.did[0])
        same(trace.doc["cupti_version"], int(version), "version")
        shape = collections.Counter((e["ph"], e.get("cat"), e["name"]) for e in trace.events
                                    if e["ph"] in "Xsf")
        first = first or shape
        same(shape, first, f"events of version {version}")


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
    box.run(["n=10", "hold=300"], ["--nvml", "20ms", "--flush", "100ms"],
            env={"FAKE_NVML_RC": "9"})
    want("NVML does not start (code 9)" in box.said, box.said)


# ---- NVTX ----

def nvtx(box):
    box.run(["n=100", "nvtx=1", "mix=0"])
    trace = box.only()
    compare(trace, box.did[0])
    ranges = trace.by["user_annotation"]
    same(len(ranges), box.did[0]["ranges"], "ranges")
    by = {e["name"]: e for e in ranges}
    first = by['attributes "quoted" \\ \x01 \ufffd\ufffd end']["args"]
    same((first["category"], first["color"], first["payload"]), ("category seven", "#ff11aa22", 0.5),
         "attributes")
    same(by["registered"]["args"]["domain"], "my domain", "domain")
    want("wide \u263a" in by, "wide text")
    rows = {by["first of two"]["tid"], by["second of two"]["tid"]}
    same(len(rows), 2, "rows of ranges that overlap")
    same([e["name"] for e in trace.by["nvtx"]], ["a mark"], "marks")
    want("the main thread" in {e["args"]["name"] for e in trace.events
                               if e["ph"] == "M" and e["name"] == "thread_name"}, "thread's name")
    ids = {e["args"]["External id"]: e["name"] for e in ranges}
    for e in trace.by["kernel"]:
        same(ids[e["args"]["External id"]], "forward", "range of a kernel")
    gpu = trace.names("gpu_user_annotation")
    same(gpu, collections.Counter({"forward": 10, "step 0": 3, "step 1": 3, "step 2": 2,
                                   "step 3": 2}), "ranges of the device")
    for g in trace.by["gpu_user_annotation"]:
        if g["name"] == "forward":
            work = [k for k in trace.by["kernel"]
                    if k["args"]["External id"] == g["args"]["External id"]]
            same(round((min(k["ts"] for k in work) - g["ts"]) * 1000), 1, "start")


def nvtx_alone(box):
    box.run(["n=0", "cuda=0", "nvtx=1"])
    same(box.files(), [], "files without --cpu")
    want("the program used no CUDA: nothing recorded" in box.said, box.said)
    box.run(["n=0", "cuda=0", "nvtx=1"], ["--cpu"])
    trace = box.only()
    trace.sane()
    same(len(trace.by["user_annotation"]), 5, "ranges")
    want("cupti_version" not in trace.doc, "no CUPTI")


# ---- ends ----

def end(box, how, code, complete, kernels=True):
    if SAN and how in ("segv", "abort"):
        code = None  # the sanitizer has handlers of its own
    box.run(["n=500", "t=2", f"end={how}"], ["--flush", "50ms"], code=code,
            kernels=1000 if kernels else 0)
    trace = box.only()
    trace.sane()
    same(trace.end["complete"], complete, "complete")
    if kernels:
        same(len(trace.by["kernel"]), 1000, "kernels")
    subprocess.run(["gzip", "-t", trace.path], check=True)
    traceq("top", trace.path)
    return trace


def end_normal(box):
    end(box, "exit", 0, True)


def end_failed(box):
    end(box, "fail", 5, True)


def end_exit(box):
    end(box, "_exit", 3, False)
    want("ended without finishing its trace" in box.said, box.said)


def end_kill9(box):
    end(box, "kill9", 137, False)
    want(re.search(r"was killed by SIGKILL; its trace is complete to \d\.\d s before the end",
                   box.said), box.said)


def end_segv(box):
    end(box, "segv", 139, False)


def end_abort(box):
    end(box, "abort", 134, False)


def end_term(box):
    end(box, "term", 143, True)


def end_anywhere(box):
    """Killed at twenty moments of full work: each file reads and holds what its checkpoint says."""
    kept = 0
    for i in range(20):
        path = os.path.join(box.dir, f"{i}.json.gz")
        command = [TRACEQ, "capture", "-o", path, "--flush", "10ms", "--", APP, "n=100000", "t=2"]
        with subprocess.Popen(command, env=box.env(), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as p:
            for _ in range(1000):  # until it writes
                if os.path.exists(path + ".part") and os.path.getsize(path + ".part") > 4096:
                    break
                time.sleep(0.01)
            time.sleep(0.05 + 0.013 * i)
            children = subprocess.run(["pgrep", "-P", str(p.pid)], stdout=subprocess.PIPE,
                                      check=False).stdout.split()
            for child in children:
                try:
                    os.kill(int(child), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            said = p.communicate(timeout=LIMIT_S)[1].decode()
        if os.path.exists(path):
            trace = Trace(path)
            same(trace.end["events"], len(trace.events), "events told")
            want(trace.end["complete"] or p.returncode == 137,
                 f"exit {p.returncode}: {said}")
            kept += len(trace.by["kernel"])
        same(box.files("*.part"), [], f"unsealed, {said}")
    want(kept > 0 or SAN, "nothing was kept")


def end_everywhere(box):
    """Killed before each call that changes a file, from the first to the last: what is left is
    nothing or a whole file, and what came of it is said."""
    if SAN:
        raise Skip("a preloaded library comes before the sanitizer's")
    states = collections.Counter()
    for call in range(1, 500):
        out = os.path.join(box.dir, f"{call}.json.gz")
        box.run(["n=50", "hold=30"], ["--flush", "20ms"], code=None, out=out, env={
            "KILL_AT": str(call), "LD_PRELOAD": os.path.join(FAKE, "libkiller.so")})
        said = f"call {call}: {box.said}"
        same([f for f in box.files() if not f.endswith(".gz")], [], said)
        found = box.files()
        want(len(found) < 2, f"{found}: {said}")
        if found:
            trace = Trace(found[0])
            want(f"traceq:   {found[0]}  " in box.said, said)
            same(trace.end["events"], len(trace.events), said)
            os.unlink(found[0])
        else:
            want("was killed by SIGKILL before anything was recorded" in box.said, said)
        if "SIGKILL" not in box.said and not box.did:
            raise Failure(said)
        if "SIGKILL" not in box.said and trace.end["complete"]:
            states["whole"] += 1
            if states["whole"] == 2:  # the calls are used up, or their number varies
                break
            continue
        states[len(found)] += 1
    want(states[0] > 5 and states[1] > 5 and states["whole"] == 2, f"{states}")


def left_behind(box):
    """A program that ends before what it started: that is waited for while it records."""
    started = f"{APP} n=300 hold=600 end=%s & until [ -e {box.dir}/out_*.part ]; do sleep 0.02; done"
    box.run(["-c", started % "kill9"], ["--flush", "50ms"], program="sh")
    trace = box.only()
    same((len(trace.by["kernel"]), trace.end["complete"]), (300, False), "kernels")
    want("ended without finishing its trace" in box.said, box.said)
    os.unlink(trace.path)
    box.run(["-c", started % "exit"], ["--flush", "50ms"], program="sh")
    compare(box.only(), box.did[0])
    os.unlink(box.files()[0])
    box.run(["-c", "sleep 5 >/dev/null 2>&1 &"], program="sh")
    want("processes that the program started still run" in box.said, box.said)
    same(box.files(), [], "files")


def no_more_waiting(box):
    """A signal ends the launcher's wait for what the program left behind; that goes on."""
    go = os.path.join(box.dir, "go")
    line = (f"{APP} n=300 hold=3000 >/dev/null 2>&1 & until [ -e {box.dir}/out_*.part ]; "
            f"do sleep 0.02; done; touch {go}")
    command = [TRACEQ, "capture", "-o", box.out, "--flush", "50ms", "--", "sh", "-c", line]
    with subprocess.Popen(command, env=box.env(), cwd=box.dir, stderr=subprocess.PIPE) as p:
        wait_for(lambda: os.path.exists(go), "the program's end")
        while p.poll() is None:  # the first may come before the program's end
            p.send_signal(signal.SIGTERM)
            time.sleep(0.1)
        box.said = p.communicate()[1].decode()
    os.unlink(go)
    want("still records; it finishes its file itself" in box.said, box.said)
    wait_for(lambda: not box.files("*.part"), "the file's end")
    same(len(box.only().by["kernel"]), 300, "kernels")


def hang(box, which, how, code):
    began = time.monotonic()
    box.run(["n=500", f"end={how}"], ["--flush", "200ms", "--exit-timeout", "1s"],
            env={"FAKE_FLUSH_HANG": which}, code=code, kernels=500 if which == "2" else 0)
    want(time.monotonic() - began < LIMIT_S / 2, "it took too long")


def hang_at_exit(box):
    hang(box, "2", "exit", 0)
    want("CUPTI did not answer for 1 s at exit" in box.said, box.said)
    trace = box.only()
    trace.sane()
    same((len(trace.by["kernel"]), trace.end["complete"]), (500, False), "kernels")


def hang_at_signal(box):
    hang(box, "2", "term", 143)
    same(len(box.only().by["kernel"]), 500, "kernels")


def hang_always(box):
    box.leaks = False  # the names of devices nobody took
    hang(box, "1", "exit", 0)


def driver_first(box):
    for order in ("early", "late"):
        box.run(["n=300"], env={"FAKE_DRIVER_ATEXIT": order},
                out=os.path.join(box.dir, f"{order}.json.gz"))
        compare(Trace(os.path.join(box.dir, f"{order}.json.gz")), box.did[0])


def passed_on(box):
    if SAN == "thread":
        raise Skip("ThreadSanitizer holds signals back while the launcher waits")
    command = [TRACEQ, "capture", "-o", box.out, "--flush", "50ms", "--", APP, "n=100", "hold=50000"]
    with subprocess.Popen(command, env=box.env(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as p:
        wait_for(lambda: box.committed() >= 100, "100 kernels in a checkpoint")
        p.send_signal(signal.SIGTERM)
        box.said = p.communicate(timeout=LIMIT_S)[1].decode()
    same(p.returncode, 143, "exit")
    trace = box.only()
    same((len(trace.by["kernel"]), trace.end["complete"]), (100, True), "kernels")


def fork_first(box):
    box.leaks = False  # a child leaves alone what its parent's threads may have held
    box.run(["n=200", "end=forkfirst"], code=0)
    same(len(box.files()), 2, "files")
    for f in box.files():
        trace = Trace(f)
        trace.sane()
        same(len(trace.by["kernel"]), 200, "kernels")


def fork_after(box):
    box.leaks = False
    box.run(["n=200", "end=forkafter"])
    compare(box.only(), box.did[0])


def exec_again(box):
    box.run(["n=200", "end=exec"], ["--flush", "50ms"], out=os.path.join(box.dir, "x.json.gz"),
            kernels=200)
    same([os.path.basename(f) for f in box.files()], ["x.1.json.gz", "x.json.gz"], "files")
    sizes = sorted(len(Trace(f).by["kernel"]) for f in box.files())
    same(sizes, [10, 200], "kernels")


# ---- refusals ----

def refused(box):
    for code, words in (("39", 'another profiler holds CUPTI ("CUPTI for Kineto"): nsys'),
                        ("35", "the driver allows GPU tracing to administrators only"),
                        ("999", "CUPTI could not reach the driver (CUPTI_ERROR_UNKNOWN)"),
                        ("33", "this GPU forbids tracing: it is a virtual GPU"),
                        ("41", "confidential computing is on"),
                        ("8", "CUPTI refuses")):
        box.run(["n=10", "end=fail"], env={"FAKE_SUBSCRIBE_RC": code}, code=5)
        same(box.said.count(words), 1, f"{code}: {box.said}")
        same(box.files(), [], "files")
    box.run(["n=10"], env={"FAKE_SUBSCRIBE_RC": "15", "FAKE_DRIVER_VERSION": "12040"})
    # The fake is libcupti.so.13, which a driver of 12.4 does not serve: --cupti insists.
    want("libcupti" in box.said, box.said)
    box.run(["n=10"], ["--cupti", os.path.join(FAKE, "libcupti.so.13")],
            env={"FAKE_SUBSCRIBE_RC": "15", "FAKE_DRIVER_VERSION": "12040"})
    want("is newer than the driver (12.4): use the CUPTI of CUDA 12.4 or older" in box.said,
         box.said)
    box.run(["n=10"], env={"FAKE_DRIVER_VERSION": "11000"})
    want("libcupti not found (looked for libcupti.so.13, .12, .11.8" in box.said, box.said)
    box.run(["n=10"], ["--cupti", "/nonexistent/libcupti.so"], code=125)


def some_kinds(box):
    box.run(["n=100"], env={"FAKE_ENABLE_RC": "27", "FAKE_ENABLE_KIND": "38"})
    want("cannot record SYNCHRONIZATION" in box.said and "the rest is recorded" in box.said,
         box.said)
    same(len(box.only().by["kernel"]), 100, "kernels")


def losses(box):
    box.run(["n=200"], env={"FAKE_NO_WORK": "1"})
    want("launches but no kernel record: CUPTI 13.0 may be too old for this GPU" in box.said,
         box.said)
    box.run(["n=100", "mix=0"], env={"FAKE_NO_TIMES": "10"})
    want("10 kernels or copies have no times" in box.said, box.said)
    box.run(["n=100"], env={"FAKE_DROPPED": "12288"})
    want("CUPTI dropped 12288 records" in box.said, box.said)
    box.run(["n=100"], env={"FAKE_FATAL": "50"})
    want("CUPTI stopped: the fake device fell off the bus; the trace ends" in box.said, box.said)


def other_tool(box):
    for name in ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "NSYS_PROFILING_SESSION_ID"):
        box.run(["n=10"], env={name: "/opt/x.so"}, code=125)
        want(f"{name} is set: another profiler is at work here" in box.said, box.said)
    box.run(["n=10"], ["--force"], env={"NSYS_PROFILING_SESSION_ID": "1"})
    box.only()


def not_run(box):
    box.run([], program="./no-such-program", code=127)
    box.run([], program="/etc/passwd", code=126)
    box.run([], program="/bin/true")
    want("the program used no CUDA: nothing recorded" in box.said and LIBRARY in box.said, box.said)
    done = subprocess.run([TRACEQ, "capture", "--", "cat", "/proc/self/maps"], env=box.env(),
                          cwd=box.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    want(b"libtraceq-capture" not in done.stdout, "loaded into a program without CUDA")


def wrong_settings(box):
    for value, words in (("v2;out=/x", "version 'v2' is not v1"), ("v1;out=/x;zeal=1", "unknown key 'zeal'"),
                         ("v1;out=/x;level=99", "out of range"), ("v1;out=x", "out of range"),
                         ("v1;out=/x;flow=maybe", "bad value of 'flow'"), ("", "version ''")):
        done = subprocess.run([APP, "n=10", "end=fail"], cwd=box.dir, stderr=subprocess.PIPE,
                              env=box.env({"CUDA_INJECTION64_PATH": LIBRARY,
                                           "TRACEQ_CAPTURE": value}),
                              stdout=subprocess.DEVNULL, check=False)
        same(done.returncode, 5, "exit")
        same(done.stderr.decode().count(words), 1, f"{value}: {done.stderr}")
    done = subprocess.run([APP, "n=10"], env=box.env({"CUDA_INJECTION64_PATH": LIBRARY}),
                          cwd=box.dir, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          check=True)
    same(done.stderr, b"", "said without settings")


def one_cupti(box):
    """A program that brings its own CUPTI, as PyTorch does: that one is used, no second loaded."""
    if SAN:
        raise Skip("a preloaded library comes before the sanitizer's")
    other = os.path.join(box.dir, "its-own", "libcupti.so.13")
    os.mkdir(os.path.dirname(other))
    shutil.copy(os.path.join(FAKE, "libcupti.so.13"), other)
    real = os.path.join(box.dir, "fakes")
    os.mkdir(real)
    shutil.copy(os.path.join(FAKE, "libcuda.so.1"), real)
    box.run(["n=100"], env={"LD_PRELOAD": other, "LD_LIBRARY_PATH": real})
    same(box.did[0]["cuptis"], 1, "CUPTIs in the process")
    same(len(Trace(box.files("*.gz")[0]).by["kernel"]), 100, "kernels")


def real_cupti(box):
    """The real libcupti with the fake driver, where a toolkit is installed: it must say that it
    cannot reach the driver, and harm nothing."""
    found = glob.glob("/usr/local/cuda/lib*/libcupti.so.1[0-9]")
    if not found:
        raise Skip("no CUDA toolkit with libcupti here")
    box.run(["n=100", "end=fail"], ["--cupti", found[0]], code=5)
    want("CUPTI could not reach the driver (CUPTI_ERROR_UNKNOWN)" in box.said, box.said)


# ---- limits ----

def memory_cap(box):
    """At full speed with too little memory: bounded, counted, said; what is there is right."""
    env = box.env({"CUDA_INJECTION64_PATH": LIBRARY, "NVTX_INJECTION64_PATH": LIBRARY,
                   "TRACEQ_CAPTURE": f"v1;out={box.dir}/out.json.gz;cap_bytes=8388608"})
    for work in (["n=400000"], ["n=200000", "t=4", "nvtx=1", "flood=100000"]):
        done = subprocess.run([APP, *work, "mix=0", "peak=1"], env=env, cwd=box.dir,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        said = done.stderr.decode()
        did, used = map(json.loads, done.stdout.decode().splitlines())
        trace = Trace(os.path.join(box.dir, "out.json.gz"))
        same(trace.end["events"], len(trace.events), "events told")
        dropped = trace.end["dropped_buffers"]
        if dropped:
            want(f"CUPTI asked {dropped} times for a buffer beyond the memory cap (8 MiB)" in said,
                 said)
        ranges = len(trace.by["user_annotation"])
        same(ranges + trace.end["dropped_ranges"], did["ranges"], "ranges kept and dropped")
        if ranges < did["ranges"]:
            want(f"{did['ranges'] - ranges} NVTX ranges dropped" in said, said)
        if not SAN:
            want(used["peak_kib"] < (8 + 10) << 10, f"peak {used} of {work}")
        os.unlink(trace.path)
    for version in ("26", "27"):
        out = os.path.join(box.dir, f"small{version}.json.gz")
        box.run(["n=200000", "t=4", "mix=0"], ["--memory-cap", "128KiB", "--buffer", "64KiB"],
                env={"FAKE_CUPTI_VERSION": version}, out=out)
        trace = Trace(out)
        want(trace.end["dropped_buffers"] > 0, f"nothing dropped: {trace.end}")
        if version == "26":
            want(trace.end["dropped_bytes"] > 0, f"no bytes counted: {trace.end}")


def full_disk(box):
    small = os.path.join(box.dir, "small")
    os.mkdir(small)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small],
                      stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise Skip("no small file system can be mounted here")
    try:
        box.run(["n=20000", "t=2", "end=fail"], ["--flush", "20ms"], code=5,
                out=os.path.join(small, "out.json.gz"))
        same(box.said.count("cannot write"), 1, box.said)
        want("No space left on device; the trace ends here" in box.said, box.said)
        found = glob.glob(os.path.join(small, "*"))
        same(len(found), 1, "files")
        if found[0].endswith(".part"):  # no room even for the end: elsewhere there is
            shutil.copy(found[0], box.dir)
            subprocess.run([TRACEQ, "capture", "--seal",
                            os.path.join(box.dir, os.path.basename(found[0]))], check=True,
                           stderr=subprocess.DEVNULL)
            found = glob.glob(os.path.join(box.dir, "out*.gz"))
        trace = Trace(found[0])
        same(trace.end["complete"], False, "complete")
        same(trace.end["events"], len(trace.events), "events")
    finally:
        subprocess.run(["umount", small], check=True)


def no_folder(box):
    box.run(["n=100", "end=fail"], out=os.path.join(box.dir, "none", "out.json.gz"), code=5)
    same(box.said.count("No such file or directory: nothing is recorded"), 1, box.said)
    box.run(["n=100", "end=fail"], out=os.path.join(box.dir, "bad%z"), code=125)
    same(box.said.count("bad file name"), 1, box.said)
    done = subprocess.run([APP, "n=100", "end=fail"], cwd=box.dir, stderr=subprocess.PIPE, env=box.env(
        {"CUDA_INJECTION64_PATH": LIBRARY, "TRACEQ_CAPTURE": f"v1;out={box.dir}/bad%25z"}),
                          stdout=subprocess.DEVNULL, check=False)
    same((done.returncode, done.stderr.count(b"bad file name")), (5, 1), done.stderr)


def names_taken(box):
    out = os.path.join(box.dir, "x.pt.trace.json.gz")
    for _ in range(3):
        box.run(["n=10"], out=out)
    same([os.path.basename(f) for f in box.files()],
         ["x.1.pt.trace.json.gz", "x.2.pt.trace.json.gz", "x.pt.trace.json.gz"], "names")


def hostile(box):
    box.run(["end=hostile"])
    trace = box.only()
    trace.sane()
    names = [e["name"] for e in trace.by["kernel"]]
    for name in ('quote" back\\slash', "control\x01\x1f\x7f\ttab\nline",
                 "invalid \ufffd\ufffd\ufffd utf-8", "\u263a fine", "", "_Z", "_ZN",
                 "</script>,{}[]", "unknown kernel"):
        want(name in names, f"no {name!r} in {names[:9]}")
    want(any(len(n) == 20000 for n in names), "the long name")
    failed = [e for e in trace.by["cuda_runtime"] if e["args"].get("returnValue")]
    same([e["args"]["returnValue"] for e in failed], [700], "return value")
    same(sorted(e["name"] for e in trace.by["gpu_memcpy"]),
         ["Memcpy <unknown> (Unknown -> Unknown)"] * 2, "unknown copies")
    subprocess.run([TRACEQ, "top", trace.path], stdout=subprocess.DEVNULL, check=True)


def anonymous(trace, did, box):
    """A trace's text without what differs from run to run: times are nanoseconds after the script's
    start, what the process is called stands in capitals."""
    base = trace.doc["baseTimeNanoseconds"]
    text = trace.text.decode()

    def time_of(found):
        ns_after = int(decimal.Decimal(found.group(1)) * 1000) + base - did["start_ns"]
        return f'"ts": @{ns_after}' if 0 <= ns_after < 1000000 else '"ts": NOW'

    lines = [re.sub('"ts": ([0-9.]+)', '"ts": NOW' if '"ph": "M"' in line or '"ph": "i", "s": "g"'
                    in line else time_of, line) for line in text.splitlines()]
    text = re.sub(r'"(pid|tid|sort_index)": %d\b' % did["pid"], r'"\1": PID', "\n".join(lines))
    for pattern, word in ((re.escape(box.dir), "DIR"), (rf"thread {did['pid']} ", "thread PID "), (r'"host_name": "[^"]*"', '"host_name": HOST'),
                          (r'"options": "[^"]*"', '"options": OPTIONS'),
                          (r'"baseTimeNanoseconds": \d+', '"baseTimeNanoseconds": BASE'),
                          (r'"clock": \[\[.*?\]\]', '"clock": CLOCK')):
        text = re.sub(pattern, word, text)
    return text + "\n"


def script(box):
    """Records of every kind, from a file through the fake CUPTI and the real library to a file that
    is known byte for byte.  BLESS=1 rewrites that."""
    path = os.path.abspath("tests/capture/records.txt")
    golden = path.replace(".txt", ".json")
    box.run([f"script={path}"], ["--kinds=+memory,events"], env={"RANK": "3", "WORLD_SIZE": "8"})
    trace = box.only()
    text = anonymous(trace, box.did[0], box)
    if os.environ.get("BLESS"):
        with open(golden, "w", encoding="utf-8") as f:
            f.write(text)
    with open(golden, encoding="utf-8") as f:
        expected = f.read()
    for got, line in zip(text.splitlines(), expected.splitlines()):
        same(got, line, "a line")
    same(text, expected, "the file")
    top = traceq("top", trace.path, "-n", "0")
    rows = {r["name"]: r["device_sum_ns"] for r in top["device"]}
    same((rows["saxpy(int, float, float*, float*)"], rows["last()"]), (1500, 1), "top")


# ---- sealing ----

def unsealed(box):
    """A .part file as a killed program without a launcher leaves it."""
    env = box.env({"CUDA_INJECTION64_PATH": LIBRARY, "TRACEQ_CAPTURE":
                   f"v1;out={box.dir}/out.json.gz;flush_ns=50000000"})
    part = os.path.join(box.dir, "out.json.gz.part")
    go = os.path.join(box.dir, "go")

    def is_committed():
        """300 kernels, their calls, arrows and names are about 1,300 events."""
        if not os.path.exists(part):
            return False
        with open(part, "rb") as f:
            return int.from_bytes(f.read(56)[32:40], "little") > 1200

    with subprocess.Popen([APP, "n=300", "hold=60000", f"go={go}", "end=kill9"], env=env,
                          cwd=box.dir, stdout=subprocess.DEVNULL) as p:
        wait_for(is_committed, "a checkpoint")
        with open(go, "w", encoding="utf-8"):
            pass
        p.wait(timeout=LIMIT_S)
    os.unlink(go)
    return part


def seal(box):
    part = unsealed(box)
    text = zlib.decompressobj(31).decompress(open(part, "rb").read())
    want(text.count(b'"cat": "kernel"') == 300, "an unsealed file is readable")
    done = subprocess.run([TRACEQ, "capture", "--seal", part], stderr=subprocess.PIPE, check=True)
    want(b"events, sealed" in done.stderr, done.stderr)
    trace = box.only()
    trace.sane()
    same(len(trace.by["kernel"]), 300, "kernels")
    done = subprocess.run([TRACEQ, "capture", "--seal", trace.path], stderr=subprocess.PIPE,
                          check=True)
    want(b"was complete" in done.stderr, done.stderr)


def seal_prefixes(box):
    """Cut anywhere: sealed and then whole, or one clear error, and then untouched."""
    data = open(unsealed(box), "rb").read()
    committed = int.from_bytes(data[16:24], "little")
    places = sorted({0, 1, 9, 10, 15, 16, 17, 30, 55, 56, 57, committed - 1, committed,
                     committed + 1, len(data), *range(60, len(data), max(1, len(data) // 25))})
    path = os.path.join(box.dir, "cut.json.gz.part")
    for n in places:
        with open(path, "wb") as f:
            f.write(data[:n])
        done = subprocess.run([TRACEQ, "capture", "--seal", path], stderr=subprocess.PIPE,
                              check=False)
        if n < committed:
            same((done.returncode, done.stderr.count(b"\n")), (2, 1), f"{n}: {done.stderr}")
            same(open(path, "rb").read(), data[:n], "the file")
            os.unlink(path)
        else:
            same(done.returncode, 0, f"{n}: {done.stderr}")
            Trace(path[:-5])
            os.unlink(path[:-5])


def env_option(box):
    done = subprocess.run([TRACEQ, "capture", "-o", f"{box.dir}/it's_%p.json.gz", "--env"],
                          env=box.env(), stdout=subprocess.PIPE, check=True)
    script = done.stdout.decode() + f"exec {APP} n=50\n"
    subprocess.run(["sh", "-c", script], env=box.env(), stdout=subprocess.DEVNULL, check=True)
    same(len(box.only().by["kernel"]), 50, "kernels")


def check_option(box):
    done = subprocess.run([TRACEQ, "capture", "--check"], env=box.env(), stdout=subprocess.PIPE,
                          check=False)
    same(done.returncode, 0, done.stdout.decode())
    want(b"GPU work can be recorded here" in done.stdout, done.stdout)
    done = subprocess.run([TRACEQ, "capture", "--check"], stdout=subprocess.PIPE, check=False,
                          env=box.env({"FAKE_SUBSCRIBE_RC": "35"}))
    same(done.returncode, 1, done.stdout.decode())
    want(b"administrators only" in done.stdout, done.stdout)


TESTS = [one_thread, four_threads, rank, versions, occupancy, graphs, kinds, windows, delay, nvml,
         nvtx, nvtx_alone, end_normal, end_failed, end_exit, end_kill9, end_segv, end_abort,
         end_term, end_anywhere, end_everywhere, left_behind, no_more_waiting,
         hang_at_exit, hang_at_signal, hang_always, driver_first,
         passed_on, fork_first, fork_after, exec_again, refused, some_kinds, losses, other_tool,
         not_run, wrong_settings, one_cupti, real_cupti, memory_cap, full_disk, no_folder,
         names_taken, hostile, script, seal, seal_prefixes, env_option, check_option]


def run_one(test):
    box = Box()
    try:
        test(box)
        return f"ok {test.__name__}"
    except Skip as why:
        return f"skip {test.__name__}: {why}"
    except (Failure, OSError, ValueError, KeyError, IndexError, EOFError, zlib.error,
            subprocess.SubprocessError) as e:
        return f"FAIL {test.__name__}: {type(e).__name__}: {e}"
    finally:
        box.close()


def main():
    if not os.path.exists(APP) or not os.path.exists(LIBRARY):
        print(f"SKIP: no fakes in {FAKE}: make test builds them")
        print("0 passed, 0 failed, 1 skipped")
        return
    chosen = [t for t in TESTS if len(sys.argv) < 2 or t.__name__ in sys.argv[1:]]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        results = list(pool.map(run_one, chosen))
    count = collections.Counter(r.split()[0] for r in results)
    for r in results:
        if not r.startswith("ok"):
            print(r)
    print(f"{count['ok']} passed, {count['FAIL']} failed, {count['skip']} skipped")
    sys.exit(1 if count["FAIL"] else 0)


if __name__ == "__main__":
    main()
