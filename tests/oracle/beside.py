#!/usr/bin/env python3
"""Jobs whose ranks wait in nothing that a GPU has as a collective: copies between GPUs, memory that they share, gloo's
calls on the host.  Small traces are made here; one rank computes longer in all steps or in every third: it is named,
with its cause and pattern, and nobody is where all are alike."""
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


def check(meet, world, seed):
    slow = seed % world
    cases = {"always": (8, lambda r, i: 1.4 if r == slow else 1, ""),
             "every third": (13, lambda r, i: 1.6 if r == slow and i % 3 == 0 else 1, "in every third step"),
             "nobody": (8, lambda r, i: 1, "")}
    for name, (steps, slower, pattern) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            make(folder, world, steps, meet, slower, seed)
            done = subprocess.run([TRACEQ, "ranks", folder, "--format", "json", "-q"], stdout=subprocess.PIPE, check=True)
        rows = next(t["rows"] for t in json.loads(done.stdout)["tables"] if t["id"] == "findings")
        named = [(r["rank"], r["cause"]) for r in rows if r["rank"] is not None]
        what = f"{meet.__name__}, {world} ranks, {name}"
        expect(what, named == ([] if name == "nobody" else [(slow, "slower GPU")]), rows)
        expect(f"{what}: pattern", pattern in rows[0]["text"], rows[0]["text"])


for seed, (meet, world) in enumerate((m, w) for m in (copies, shared_memory, gloo) for w in (2, 4, 5)):
    check(meet, world, seed)
for failure in failures:
    print("FAIL", failure)
print(f"{passed} passed, {len(failures)} failed, 0 skipped")
sys.exit(bool(failures))
