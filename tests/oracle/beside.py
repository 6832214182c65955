#!/usr/bin/env python3
"""Jobs whose ranks wait in nothing that a GPU has as a collective: copies between GPUs, memory that they share, gloo's
calls on the host, also of ranks without a GPU, while the host goes on or not.  Small traces are made here; one rank
computes longer in all steps or in every third: it is named, with its cause and pattern, and nobody is where all are
alike."""
import json
import os
import random
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
BLOCKS, LAUNCH, STEP_FROM = 6, 7, 10
passed, failures = 0, []


class Rank:
    """Times in us."""

    def __init__(self, rank, offset):
        self.rank, self.offset, self.events, self.host, self.number = rank, offset, [], 0.0, 100

    def slice(self, cat, name, pid, tid, start, dur, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "args": args,
                            "ts": round(1e9 + start + self.offset, 3), "dur": round(dur, 3)})

    def launch(self, op, name, start, dur, cat="kernel", api="cudaLaunchKernel", stream=7, **args):
        """Returns when the work ends."""
        self.number += 1
        own = {"correlation": self.number, "External id": self.number}
        self.slice("cpu_op", op, 500, 500, self.host, LAUNCH - 1, **{"External id": self.number})
        self.slice("cuda_runtime", api, 500, 500, self.host + 1, 3, **own)
        start = max(start, self.host + LAUNCH + 1)
        self.host += LAUNCH
        self.slice(cat, name, self.rank, stream, start, dur, device=self.rank, context=1, stream=stream, **own, **args)
        return start + dur

    def blocked(self, call, until):
        until = max(until, self.host + 1)
        self.slice("cuda_runtime", call, 500, 500, self.host, until - self.host)
        self.host = until


def copies(rank, ready, last):
    end = last + 3
    for _ in range(3):
        end = rank.launch("symm_mem::copy", "Memcpy PtoP (Device -> Device)", end, 120, "gpu_memcpy", "cudaMemcpyAsync", 30,
                          bytes=1 << 24) + 5
    return end


def shared_memory(rank, ready, last):
    return rank.launch("symm_mem::barrier", "multimem_all_reduce_kernel<bfloat16>", last + 3, 300)


def gloo(rank, ready, last):
    rank.launch("aten::copy_", "Memcpy DtoH (Device -> Pageable)", ready, 50, "gpu_memcpy", "cudaMemcpyAsync", bytes=1 << 22)
    rank.blocked("cudaStreamSynchronize", ready + 50)
    end = last + 960
    rank.slice("user_annotation", "gloo:all_reduce", 500, 500, rank.host, end - rank.host)
    rank.host = end
    return rank.launch("aten::copy_", "Memcpy HtoD (Pageable -> Device)", end + 5, 50, "gpu_memcpy", "cudaMemcpyAsync",
                       bytes=1 << 22)


def computes(rank, start, dur):
    """An op that only a CPU carries out, and one that it calls; returns when it ends."""
    rank.slice("cpu_op", "aten::linear", 500, 500, start, dur)
    rank.slice("cpu_op", "aten::addmm", 500, 500, start + 2, dur - 3)
    return start + dur


def on_cpu(rank, t, last):
    """The thread waits in it."""
    rank.slice("cpu_op", "c10d::allreduce_", 500, 500, t, last + 960 - t)
    rank.slice("user_annotation", "gloo:all_reduce", 500, 500, t + 5, last + 955 - t)
    return last + 960


def beside_cpu(rank, t, last):
    """The thread goes on for 2 ms, and waits for what is left."""
    rank.slice("user_annotation", "gloo:all_reduce", 500, 501, t, last + 960 - t)
    return max(computes(rank, t + 10, 2000), last + 960)


def make_on_cpu(folder, world, steps, meet, slower, seed):
    rand, at = random.Random(seed), 0.0
    ranks = [Rank(r, rand.uniform(-5000, 5000)) for r in range(world)]
    for step in range(steps):
        ready, ends = [], []
        for rank in ranks:
            t = at + 20
            for _ in range(BLOCKS):
                t = computes(rank, t + 3, 1000 * slower(rank.rank, step) * rand.uniform(0.99, 1.01))
            ready.append(t)
        for rank, t in zip(ranks, ready):
            ends.append(computes(rank, meet(rank, t, max(ready)) + 5, 300))
            rank.slice("user_annotation", f"ProfilerStep#{STEP_FROM + step}", 500, 500, at, ends[-1] + 3 - at)
        at = max(ends) + 15
    for rank in ranks:
        with open(os.path.join(folder, f"rank{rank.rank}.json"), "w") as f:
            f.write(json.dumps({"distributedInfo": {"backend": "gloo", "rank": rank.rank, "world_size": world},
                                "traceEvents": rank.events, "baseTimeNanoseconds": 1700000000000000000}))


def make(folder, world, steps, meet, slower, seed):
    """slower(rank, step): times what the others compute."""
    rand, at = random.Random(seed), 0.0
    ranks = [Rank(r, rand.uniform(-5000, 5000)) for r in range(world)]
    for step in range(steps):
        ready, ends = [], []
        for rank in ranks:
            rank.host, t = at, at + 20
            for _ in range(BLOCKS):
                t = rank.launch("aten::mm", "sm90_xmma_gemm_bf16bf16_bf16f32_tn_n_cublas", t + 1,
                                1000 * slower(rank.rank, step) * rand.uniform(0.99, 1.01))
            ready.append(t)
        for rank, t in zip(ranks, ready):
            end = meet(rank, t, max(ready))
            end = rank.launch("aten::_fused_adamw_", "multi_tensor_apply_kernel<adam>", end + 5, 300)
            rank.blocked("cudaDeviceSynchronize", end + 5)
            rank.slice("user_annotation", f"ProfilerStep#{STEP_FROM + step}", 500, 500, at, rank.host + 3 - at)
            ends.append(rank.host + 3)
        at = max(ends) + 15
    for rank in ranks:
        with open(os.path.join(folder, f"rank{rank.rank}.json"), "w") as f:
            f.write(json.dumps({"distributedInfo": {"rank": rank.rank, "world_size": world}, "traceEvents": rank.events,
                                "deviceProperties": [{"id": rank.rank, "name": "NVIDIA H100 80GB HBM3", "numSms": 132}],
                                "baseTimeNanoseconds": 1700000000000000000}))


def expect(what, ok, why=""):
    global passed
    passed += bool(ok)
    if not ok:
        failures.append(f"{what}: {why}")


def rows_of(command, folder, name):
    done = subprocess.run([TRACEQ, command, folder, "--format", "json", "-q"], stdout=subprocess.PIPE, check=True)
    return next((t["rows"] for t in json.loads(done.stdout)["tables"] if t["id"] == name), [])


def check(meet, world, seed):
    maker, cause = (make_on_cpu, "host") if meet in (on_cpu, beside_cpu) else (make, "slower GPU")
    slow = seed % world
    cases = {"always": (8, lambda r, i: 1.4 if r == slow else 1, ""),
             "every third": (13, lambda r, i: 1.6 if r == slow and i % 3 == 0 else 1, "in every third step"),
             "nobody": (8, lambda r, i: 1, "")}
    for name, (steps, slower, pattern) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            maker(folder, world, steps, meet, slower, seed)
            rows = rows_of("ranks", folder, "findings")
            ledgers = rows_of("ranks", folder, "ranks")
            path = rows_of("critical", folder, "job_path") if meet in (gloo, on_cpu, beside_cpu) else []
        named = [(r["rank"], r["cause"]) for r in rows if r["rank"] is not None]
        what = f"{meet.__name__}, {world} ranks, {name}"
        expect(what, named == ([] if name == "nobody" else [(slow, cause)]), rows)
        expect(f"{what}: no path that crosses nowhere", not path, path)
        expect(f"{what}: pattern", pattern in rows[0]["text"], rows[0]["text"])
        if maker == make_on_cpu:
            want = [sum(6000 * slower(r, i) for i in range(1, steps - 1)) / (steps - 2) for r in range(world)]
            want = [1000 * (us + 300 + (2000 if meet == beside_cpu else 0)) for us in want]
            got = [row["compute_ns"] for row in ledgers]
            expect(f"{what}: computes", all(abs(g / w - 1) < 0.02 for g, w in zip(got, want)), (got, want))


for seed, (meet, world) in enumerate((m, w) for m in (copies, shared_memory, gloo, on_cpu, beside_cpu) for w in (2, 4, 5)):
    check(meet, world, seed)
for failure in failures:
    print("FAIL", failure)
print(f"{passed} passed, {len(failures)} failed, 0 skipped")
sys.exit(bool(failures))
