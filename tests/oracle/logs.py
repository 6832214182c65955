#!/usr/bin/env python3
"""Compares the figures of text logs with the same computed here: lines of several programs, ranks,
prefixes and colours mixed at random, among lines that say nothing."""
import collections
import json
import math
import os
import random
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
LEVELS = ["DEBUG", "INFO", "WARNING"]
GIB = 1 << 30
failures = []
checked = 0


class Truth:
    """What a log says: values by key and group, in order."""

    def __init__(self, rng):
        self.rng = rng
        self.values = collections.defaultdict(list)
        self.writers = {}
        self.lines = []
        self.odd = 0

    def add(self, group, writer=None, **figures):
        """What another program than the first writes under the same name bears its own."""
        for key, value in figures.items():
            key = key.replace("__", " ")
            first = self.writers.setdefault((key, group), writer)
            if first and writer and first != writer:
                key += f" ({writer})"
            self.values[key, group].append(value)

    def number(self, most, digits):
        return round(self.rng.uniform(0, most), digits)


def torchtitan(t, step, rank):
    loss, memory, tps = t.number(9, 5), t.number(80, 2), t.rng.randrange(10, 9999)
    share, mfu = t.number(100, 2), t.number(50, 2)
    unit, scale = t.rng.choice([("GiB", GIB), ("GiB", GIB), ("MiB", GIB / 1024)])
    t.lines.append(f"[rank{rank}]:[titan] {clock(t)} - root - INFO - \x1b[31mstep: {step:2}  \x1b[32mloss: {loss:7.5f}"
                   f"  \x1b[33mmemory: {memory:5.2f}{unit}({share:.2f}%)  \x1b[34mtps: {tps:,}  mfu: {mfu:.2f}%\x1b[39m")
    t.add(f"rank {rank}" if rank else None, "torchtitan", loss=loss, memory_reserved=memory * scale,
          memory_reserved_pct=share / 100, tps=tps, mfu=mfu / 100)


def megatron(t, step, rank):
    ms, loss = t.number(3000, 1), t.number(9, 6)
    t.lines.append(f"[default{rank}]: iteration {step:8}/  500000 | consumed samples: {step * 512:12} | elapsed time per "
                   f"iteration (ms): {ms:.1f} | lm loss: {loss:.6E} | number of skipped iterations:   0 |")
    t.add(f"rank {rank}" if rank else None, "Megatron-LM", consumed__samples=step * 512, step_time=ms * 1e6,
          loss=float(f"{loss:.6E}"), number__of__skipped__iterations=0)


def trainer(t, step, rank):
    loss, norm = t.number(9, 4), t.number(9, 6)
    if rank:
        return
    t.lines.append(f"{{'loss': {loss}, 'grad_norm': '{norm}', 'epoch': {step / 100}}}")
    t.add(None, loss=loss, grad_norm=norm)


def pairs(t, step, rank):
    loss, rate = t.number(9, 4), t.number(1, 6)
    t.lines.append(f"{clock(t)} - train.loop - {t.rng.choice(LEVELS)} - step={step} loss={loss}, lr={rate:g} [rank{rank}]"
                   if not rank else f"rank {rank}: {clock(t)} INFO step={step} loss={loss}, lr={rate:g}")
    t.add(f"rank {rank}" if rank else None, loss=loss, lr=float(f"{rate:g}"))


def said(t, step, rank):
    loss, rate = t.number(9, 4), t.number(1, 6)
    between = t.rng.choice([": loss {} lr {}", " | loss {} | lr {} |", " - Loss {}, lr {}"])
    t.lines.append(f"[rank{rank}]: {t.rng.choice(['Step', 'iter'])} {step}" + between.format(loss, f"{rate:g}"))
    t.add(f"rank {rank}" if rank else None, loss=loss, lr=float(f"{rate:g}"))


def clock(t):
    return (f"2025-11-{t.rng.randrange(1, 31):02} {t.rng.randrange(24):02}:{t.rng.randrange(60):02}:"
            f"{t.rng.randrange(60):02},{t.rng.randrange(1000):03}")


def message(t):
    n = t.rng.randrange(10 ** t.rng.randrange(1, 6))
    t.lines.append(t.rng.choice([
        f"{clock(t)} - data - DEBUG - worker {n % 8} fetched shard part-{n:05} from the bucket",
        f"Loading checkpoint shards, {n} of them", "Saving the model", f"Epoch {n} is over soon",
        f"[W] {n} samples were longer than {n + 1} tokens"]))
    t.odd += 1


def traceq(*args):
    done = subprocess.run([TRACEQ, *args, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        failures.append(f"traceq {' '.join(args)}: exit {done.returncode}: {done.stderr.decode()}")
        return {"tables": [], "notes": []}
    return json.loads(done.stdout)


def compare(seed, t, rows):
    global checked
    seen = {(r["key"], r["group"]): r for r in rows}
    for (key, group), values in t.values.items():
        row = seen.get((key, group))
        want = {"count": len(values), "last": values[-1], "mean": math.fsum(values) / len(values),
                "min": min(values), "max": max(values)}
        for name, value in want.items():
            checked += 1
            got = row and row[name]
            if got is None or not math.isclose(got, value, rel_tol=1e-9, abs_tol=1e-12):
                failures.append(f"seed {seed}: {name} of {key} ({group}): traceq {got}, here {value}")


def compare_rest(seed, t, notes):
    global checked
    checked += 1
    got = next((n["count"] for n in notes if n["id"] == "other_lines"), 0)
    if got != t.odd:
        failures.append(f"seed {seed}: lines without a figure: traceq {got}, here {t.odd}")


def one(seed, path):
    rng = random.Random(seed)
    t = Truth(rng)
    # Dicts that name no step stand at rows: not beside lines that name one.
    forms = rng.choice([[trainer], rng.sample([torchtitan, megatron, pairs, said], rng.randrange(1, 5))])
    for step in range(1, rng.randrange(3, 60)):
        for rank in range(rng.choice([1, 1, 3])):
            rng.choice(forms)(t, step, rank)
        if rng.random() < 0.5:
            message(t)
    if not t.values:
        return
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(t.lines) + "\n")
    answer = traceq("metrics", path, "--warmup", "0")
    compare(seed, t, next((x["rows"] for x in answer["tables"] if x["id"] == "keys"), []))
    compare_rest(seed, t, answer["notes"])


with tempfile.TemporaryDirectory() as folder:
    for number in range(60):
        one(number, os.path.join(folder, "run.log"))
for failure in failures[:20]:
    print(failure)
print(f"{checked - len(failures)} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
