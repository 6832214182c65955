#!/usr/bin/env python3
"""Pipelines with micro-batches (one forward, one backward) that are carried out here, beside data parallel ones: a slow
rank, a long stage, batches of uneven sequences, pauses that no event explains.  The same pipeline carried out without
them is what `ranks` has to say of its repair; who is named is who was made slow."""
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict

TRACEQ = os.environ["TRACEQ"]
NEAR = 0.02
STEPS, FORWARD, BACKWARD, MESSAGE, GRADIENTS, OPTIMIZER, GAP = 8, 60e3, 130e3, 400, 40e3, 20e3, 3e3  # us
COUNTED = range(1, STEPS - 1)
LANES = {"send_f": 20, "recv_f": 21, "send_b": 22, "recv_b": 23, "gather": 24, "reduce": 24, "optimizer": 24}
passed, failures = 0, []


def expect(what, is_so, got):
    global passed
    passed += bool(is_so)
    if not is_so:
        failures.append(f"{what}: {got}")


class Pipeline:
    """Ranks of a stage are next to each other."""

    def __init__(self, dp, pp, micro, seed):
        self.dp, self.pp, self.micro, self.rng = dp, pp, micro, random.Random(seed)
        self.ranks = range(dp * pp)
        self.takes = {(rank, step, op, i): ns * self.rng.uniform(1, 1.01) for rank in self.ranks for step in range(STEPS)
                      for op, ns in (("F", FORWARD), ("B", BACKWARD)) for i in range(micro)}
        self.pauses = {}  # before such work

    def stage(self, rank):
        return rank // self.dp

    def program(self, rank):
        """Of a step: work, (op, micro-batch) of messages that go together, collectives."""
        first, last = self.stage(rank) == 0, self.stage(rank) == self.pp - 1
        warm = min(self.pp - 1 - self.stage(rank), self.micro)
        out = ["gather"]

        def messages(*of):
            out.append([(op, i) for op, i in of if i < self.micro and not (op in ("recv_f", "send_b") and first)
                        and not (op in ("send_f", "recv_b") and last)])

        for i in range(warm):
            messages(("recv_f", i))
            out.append(("F", i))
            messages(("send_f", i))
        messages(("recv_f", warm))
        for i in range(self.micro - warm):
            out.append(("F", warm + i))
            messages(("send_f", warm + i), ("recv_b", i))
            out.append(("B", i))
            messages(("send_b", i), ("recv_f", warm + i + 1))
        for i in range(self.micro - warm, self.micro):
            messages(("recv_b", i))
            out.append(("B", i))
            messages(("send_b", i))
        return [at for at in out if at] + ["reduce", "optimizer"]

    def peer(self, rank, op):
        return rank - self.dp if op in ("recv_f", "send_b") else rank + self.dp

    def start(self, rank, at, step, takes, pauses, met):
        """(op, micro-batch, end) of what it begins now; None: it waits for another."""
        now = self.now[rank]
        if at == "optimizer":
            return [(at, 0, now, now + OPTIMIZER)]
        if isinstance(at, str):
            come = met[self.stage(rank), at]
            come.setdefault(rank, now)
            return [(at, 0, now, max(come.values()) + GRADIENTS)] if len(come) == self.dp else None
        if isinstance(at, tuple):
            now += pauses.get((rank, step, *at), 0)
            return [(*at, now, now + takes[(rank, step, *at)])]
        ends = []
        for op, i in at:
            pair = frozenset((rank, self.peer(rank, op)))
            come = met[pair, op[-1], i]
            come.setdefault(rank, now)
            ends.append(max(come.values()) + MESSAGE if len(come) == 2 else None)
        return None if None in ends else [(op, i, now, max(ends)) for op, i in at]

    def carry_out(self, takes, pauses):
        """The mean of the counted steps, each from the end of the one before; what each rank does is in rows."""
        self.now = [0.0] * len(self.ranks)
        self.rows, ends = [], []
        for step in range(STEPS):
            left, met = [self.program(rank) for rank in self.ranks], defaultdict(dict)
            self.now = [now + GAP for now in self.now]
            while any(left):
                for rank in self.ranks:
                    while left[rank]:
                        done = self.start(rank, left[rank][0], step, takes, pauses, met)
                        if done is None:
                            break
                        self.rows += [(rank, step, *row) for row in done]
                        self.now[rank] = done[-1][-1]
                        left[rank].pop(0)
            ends.append(max(self.now))
        return (ends[COUNTED[-1]] - ends[0]) / len(COUNTED)

    def evened(self, ranks):
        """What those ranks compute takes the mean of the same of all ranks in the counted steps."""
        mean = {op: statistics.fmean(ns for (_, step, o, _), ns in self.takes.items() if o == op and step in COUNTED)
                for op in "FB"}
        return {at: mean[at[2]] if at[0] in ranks else ns for at, ns in self.takes.items()}

    # ---- its traces ----

    def args(self, rank, op):
        if op in ("F", "B", "optimizer"):
            return {}
        stage, replica = self.stage(rank), rank % self.dp
        if op in ("gather", "reduce"):
            name = {"gather": "_allgather_base", "reduce": "_reduce_scatter_base"}[op]
            members, group, peer = range(stage * self.dp, (stage + 1) * self.dp), f"dp{stage}", {}
        else:
            name, group, members = op[:4], f"pp{replica}{op[-1]}", range(replica, len(self.ranks), self.dp)
            peer = {"Dst Rank" if name == "send" else "Src Rank": self.peer(rank, op)}
        return {"Collective name": name, "In msg nelems": 1 << 20, "Out msg nelems": 1 << 20, "dtype": "BFloat16",
                "Group size": self.dp if not peer else 2, "Process Group Name": group,
                "Process Group Description": group[:2], "Process Group Ranks": str(list(members)), **peer}

    def write(self, folder):
        for rank in self.ranks:
            events, self.calls, self.at = [], 0, 0.0
            offset = 1e6 + self.rng.uniform(-5e3, 5e3)

            def add(cat, name, tid, ts, dur, events=events, offset=offset, rank=rank, **args):
                events.append({"ph": "X", "cat": cat, "name": name, "pid": 100 + rank if tid == 1 else rank, "tid": tid,
                               "ts": round(offset + ts, 3), "dur": round(dur, 3), "args": args})

            def call(name, dur=1.0, add=add):
                self.calls += 1
                add("cuda_runtime", name, 1, self.at, dur, correlation=self.calls)
                self.at += 1.2
                return self.calls

            for step in range(STEPS):
                self.write_step(step, [row[2:] for row in self.rows if row[:2] == (rank, step)], rank, add, call)
            with open(os.path.join(folder, f"rank{rank}.json"), "w") as f:
                f.write(json.dumps({"distributedInfo": {"backend": "nccl", "rank": rank, "world_size": len(self.ranks)},
                                    "traceEvents": events}))

    def write_step(self, step, rows, rank, add, call):
        begin, end, last, recorded = rows[0][2] - GAP + 30, rows[-1][3], None, {}
        self.at = begin + 10
        add("user_annotation", f"ProfilerStep#{step}", 1, begin, end + 20 - begin)
        for op, _, start, until in rows:
            lane = LANES.get(op, 7)
            # What it waits for: messages and gathered weights before work, work before what is sent and reduced.
            waits = [recorded.pop(k) for k in ("recv_f", "recv_b", "gather") if k in recorded] if lane == 7 else \
                [(7, last)] if op in ("send_f", "send_b", "reduce") else []
            for other, record in waits:
                wait = call("cudaStreamWaitEvent")
                add("cuda_sync", "Stream Wait Event", lane, self.at, 0, stream=lane, correlation=wait, device=rank,
                    wait_on_stream=other, wait_on_cuda_event_record_corr_id=record, wait_on_cuda_event_id=record)
            name = {"F": "forward_gemm", "B": "backward_gemm", "optimizer": "adam"}.get(
                op, "ncclDevKernel_" + {"gather": "AllGather_RING_LL", "reduce": "ReduceScatter_Sum_bf16_RING_LL"}.get(
                    op, "SendRecv"))
            add("kernel", name, lane, start, until - start, stream=lane, device=rank, correlation=call("cudaLaunchKernel"),
                **self.args(rank, op))
            recorded[op] = (lane, call("cudaEventRecord"))
            last = recorded[op][1] if lane == 7 else last
        sync, at = call("cudaDeviceSynchronize", end + 5 - self.at), self.at - 1.2
        add("cuda_sync", "Context Sync", 7, at, end + 5 - at, stream=-1, device=rank, correlation=sync)


def answer(p, takes_then, pauses_then, repair):
    """Findings, what the repair leaves of a step if gaps are dropped, and what is true, in us."""
    p.carry_out(p.takes, p.pauses)
    with tempfile.TemporaryDirectory() as folder:
        p.write(folder)
        out = subprocess.run([TRACEQ, "ranks", "-q", "--json", folder], stdout=subprocess.PIPE, check=True).stdout
    tables = {t["id"]: t["rows"] for t in json.loads(out)["tables"]}
    row = next(r for r in tables["job_what_if"] if r["says"].startswith(repair))
    return tables["findings"], (row["most_then_ns"] or 0) / 1e3, p.carry_out(takes_then, pauses_then)


def check(layout, seed):
    what = f"dp {layout[0]}, pp {layout[1]}, {layout[2]} micro-batches, seed {seed}"

    def repaired(name, most, true):
        expect(f"{what}: {name}: the repaired step", abs(most / true - 1) < NEAR, (most, true))

    def stragglers(findings):
        return [f["rank"] for f in findings if f["state"] == "straggler"]

    p = Pipeline(*layout, seed)
    slow = p.rng.choice(p.ranks)
    p.takes = {at: ns * (1.8 if at[0] == slow else 1) for at, ns in p.takes.items()}
    found, most, true = answer(p, p.evened(p.ranks), {}, "all ranks")
    repaired("a slow rank", most, true)
    expect(f"{what}: a slow rank", stragglers(found) == [slow], (slow, found))

    p = Pipeline(*layout, seed)
    p.takes = {at: ns * (1.6 if p.stage(at[0]) == p.pp - 1 else 1) for at, ns in p.takes.items()}
    long = [rank for rank in p.ranks if p.stage(rank) == p.pp - 1]
    found, most, true = answer(p, p.evened(long), {}, f"stage {p.pp - 1} ")
    repaired("a long stage", most, true)
    expect(f"{what}: a long stage", not stragglers(found), found)

    p = Pipeline(*layout, seed)
    p.pauses = {(rank, step, "F", p.rng.randrange(p.micro)): 200e3 for rank in p.ranks for step in range(STEPS)
                if p.rng.random() < 0.5}
    found, most, true = answer(p, p.takes, {}, "no idle")
    repaired("pauses", most, true)

    p = Pipeline(*layout, seed)
    longer = {(replica, step, i): p.rng.lognormvariate(0, 0.5) for replica in range(p.dp) for step in range(STEPS)
              for i in range(p.micro)}
    p.takes = {(rank, step, op, i): ns * longer[rank % p.dp, step, i] for (rank, step, op, i), ns in p.takes.items()}
    found, most, true = answer(p, p.evened(p.ranks), {}, "all ranks")
    repaired("uneven batches", most, true)
    expect(f"{what}: uneven batches", not stragglers(found) and
           all(f["cause"] == "uneven batches" for f in found if f["state"] == "moving imbalance"), found)


for layout in (2, 4, 8), (4, 2, 4), (2, 4, 4):
    for seed in range(1, 11 if os.environ.get("CHECK_ALL") else 3):
        check(layout, seed)
for failure in failures:
    print("FAIL", failure)
print(f"{passed} passed, {len(failures)} failed, 0 skipped")
sys.exit(bool(failures))
