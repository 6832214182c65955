#!/usr/bin/env python3
"""Jobs whose ranks have sequences of other lengths, as batches or context parallelism deal them out: attention takes
longer, all else the same.  Whole traces are made here: whoever is late, or the one rank that is, has uneven sequences;
where all kernels are slower it is the GPU, and where all are alike it is nobody."""
import json
import os
import random
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
STEPS, LAYERS, MATMUL, ATTENTION, REDUCE = 13, 4, 700, 800, 300  # us
passed, failures = 0, []


class Rank:
    """Times in us."""

    def __init__(self, rank, world, offset):
        self.rank, self.world, self.offset, self.events, self.host, self.gpu, self.number = rank, world, offset, [], 0.0, 0.0, 100

    def slice(self, cat, name, pid, tid, start, dur, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "args": args,
                            "ts": round(1e9 + start + self.offset, 3), "dur": round(dur, 3)})

    def launch(self, op, name, dur, dims=None, **args):
        self.number += 1
        self.slice("cpu_op", op, 500, 500, self.host, 6, **{"External id": self.number}, **({"Input Dims": dims} if dims else {}))
        own = {"correlation": self.number, "External id": self.number}
        self.slice("cuda_runtime", "cudaLaunchKernel", 500, 500, self.host + 1, 3, **own)
        start = max(self.gpu + 1, self.host + 8)
        self.slice("kernel", name, 0, 7, start, dur, device=0, stream=7, **own, **args)
        self.host += 7
        self.gpu = start + dur

    def reduce(self, end):
        self.launch("nccl:all_reduce", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                    end - max(self.gpu + 1, self.host + 8), **{
                        "Collective name": "allreduce", "In msg nelems": 13107200, "Out msg nelems": 13107200, "dtype": "BFloat16",
                        "Group size": self.world, "Process Group Name": "0", "Process Group Description": "default_pg",
                        "Process Group Ranks": str(list(range(self.world)))})


def make(folder, world, load, slower, with_shapes, seed):
    """load(rank, step): how long attention takes beside usual; slower(rank): how long every kernel does."""
    rand, at = random.Random(seed), 0.0
    ranks = [Rank(r, world, rand.uniform(-3000, 3000)) for r in range(world)]
    for step in range(STEPS):
        of = [load(rank.rank, step) for rank in ranks]
        for rank in ranks:
            rank.host, rank.gpu = at, at + 30
        for layer in range(LAYERS):
            for rank in ranks:
                times = slower(rank.rank) * rand.uniform(0.995, 1.005)
                dims = [[1, int(4096 * of[rank.rank] ** 0.5), 32, 128]] * 3 if with_shapes else None
                rank.launch("aten::mm", "nvjet_hsh_128x256_64x4", MATMUL * times, [[4096, 4096], [4096, 4096]] if dims else None)
                rank.launch("flash_attn::_flash_attn_forward", "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128>>",
                            ATTENTION * of[rank.rank] * times, dims)
                rank.launch("aten::mm", "nvjet_hsh_128x256_64x4", MATMUL * times, [[4096, 4096], [4096, 4096]] if dims else None)
            if layer % 2:
                end = max(rank.gpu for rank in ranks) + REDUCE
                for rank in ranks:
                    rank.reduce(end + rand.uniform(-0.3, 0.3))
        for rank in ranks:
            rank.slice("cuda_runtime", "cudaDeviceSynchronize", 500, 500, rank.host, rank.gpu + 5 - rank.host)
            rank.slice("user_annotation", f"ProfilerStep#{step}", 500, 500, at, rank.gpu + 8 - at)
        at = max(rank.gpu for rank in ranks) + 20
    for rank in ranks:
        with open(os.path.join(folder, f"rank{rank.rank}.json"), "w") as f:
            f.write(json.dumps({"distributedInfo": {"rank": rank.rank, "world_size": world}, "traceEvents": rank.events,
                                "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "numSms": 132}]}))


def check(world, with_shapes, seed):
    rand, slow = random.Random(seed), seed % world
    drawn = [[1 + rand.uniform(-0.5, 0.5) for _ in range(world)] for _ in range(STEPS)]
    of_one = [1 + rand.choice([0, 0.3, 0.8, 1.2]) for _ in range(STEPS)]
    cases = {"all": (lambda r, i: drawn[i][r], lambda r: 1, ("moving imbalance", None, "uneven sequences")),
             "one, now and then": (lambda r, i: of_one[i] if r == slow else 1, lambda r: 1, ("straggler", slow, "uneven sequences")),
             "one, always": (lambda r, i: 1.8 if r == slow else 1, lambda r: 1, ("straggler", slow, "uneven sequences")),
             "slower": (lambda r, i: 1, lambda r: 1.25 if r == slow else 1, ("straggler", slow, "slower GPU")),
             "nobody": (lambda r, i: 1, lambda r: 1, ("balanced", None, "-"))}
    global passed
    for name, (load, slower, want) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            make(folder, world, load, slower, with_shapes, seed)
            done = subprocess.run([TRACEQ, "ranks", folder, "--format", "json", "-q"], stdout=subprocess.PIPE, check=True)
        row = next(t["rows"] for t in json.loads(done.stdout)["tables"] if t["id"] == "findings")[0]
        if (row["state"], row["rank"], row["cause"]) == want:
            passed += 1
        else:
            failures.append(f"{world} ranks, {name}, shapes {with_shapes}: {row}")


for seed, (world, with_shapes) in enumerate((w, s) for w in (4, 8) for s in (False, True)):
    check(world, with_shapes, seed)
for failure in failures:
    print("FAIL", failure)
print(f"{passed} passed, {len(failures)} failed, 0 skipped")
sys.exit(bool(failures))
