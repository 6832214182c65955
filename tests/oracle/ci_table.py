#!/usr/bin/env python3
"""The table of docs/ci.md, "What fails, what warns, what passes": of each row pairs are made here, by
hand, and gate must answer as the row says.  A row without a pair, and a pair without a row, fail."""
import json
import os
import re
import subprocess
import sys
import tempfile

import faster
from silence import canary, dump, log, records

TRACEQ, FIXTURES = os.environ["TRACEQ"], os.environ["FIXTURES"]
DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/ci.md")
passed, failures = 0, []


def fixture(*words):
    return subprocess.run([FIXTURES, *words], stdout=subprocess.PIPE, check=True).stdout


def trace(seed=1, pieces=30, **ms):
    """A trace of twelve steps with parts that take so long."""
    parts = {"kernels": 12.0, "comm": 0, "copy": 0, "loader": 2.0, "host": 1.0, **ms}
    at = tempfile.mkstemp(suffix=".json")[1]
    faster.write(at, faster.random.Random(seed), parts, pieces, False)
    with open(at, "rb") as f:
        text = f.read()
    os.remove(at)
    return text


def job(ranks, world=2):
    """The traces of some ranks of a job."""
    with tempfile.TemporaryDirectory() as at:
        subprocess.run([FIXTURES, "multi-rank", "--all-ranks", at, "--world", str(world), "--steps", "4",
                        "--layers", "3"], check=True)
        files = {}
        for rank in ranks:
            with open(os.path.join(at, f"rank{rank}.json"), "rb") as f:
                files[f"rank{rank}.json"] = f.read()
        return files


def on(gpu, files):
    return {name: text.replace(b"Tesla T4", gpu.encode()) for name, text in files.items()}


def jsonl(n=30, **more):
    return {"m.jsonl": records(n, **more)}


def values(key, base, spread, n=30):
    return {"m.jsonl": "".join(dump({"step": i, key: base * (1 + (i * 7 % 5 - 2) / 2 * spread)}) + "\n"
                               for i in range(1, n + 1))}


def metrics(**figures):
    return {"m.json": dump({"latency_ms": 10.0, **figures})}


def leaking(step):
    return {"t.log": log(60, extra="").replace("s\n", "s allocated {:.2f} GB\n").format(
        *(4 + i * step for i in range(60)))}


TRACEBACK = ('Traceback (most recent call last):\n  File "t.py", line 3, in f\n'
             "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n")
WATCHDOG = ("[rank1]:[E603 17:48:01.005271823 ProcessGroupNCCL.cpp:632] [Rank 1] Watchdog caught collective "
            "operation timeout: WorkNCCL(SeqNum=23, OpType=ALLREDUCE, NumelIn=8652160, NumelOut=8652160, "
            "Timeout(ms)=1800000) ran for 1800068 milliseconds before timing out.\n")

# The beginning of a row; its pairs: what, base, new, options, exit status, what is said.
ROWS = [
    ("a figure with a better side", [
        ("slower", jsonl(), jsonl(step_time=.7), [], 1, r"FAIL +step_time"),
        ("fewer tokens", metrics(tokens_per_sec=1000.0), metrics(tokens_per_sec=700.0), [], 1, r"FAIL +tokens_per_sec"),
        ("more memory", metrics(peak_memory_gb=4.0), metrics(peak_memory_gb=6.0), [], 1, r"FAIL +peak_memory"),
    ]),
    ("the same, but noise", [
        ("by noise", values("latency_ms", 10.0, .4), values("latency_ms", 11.5, .4), [], 0,
         r"gate NOISY(.|\n)*NOISY +latency_ms(.|\n)*runs a side\s+would"),
        ("by noise, chosen", values("latency_ms", 10.0, .4), values("latency_ms", 11.5, .4),
         ["--fail-on", "noisy"], 1, r"NOISY +latency_ms"),
    ]),
    ("few values", [
        ("twelve records", jsonl(12), jsonl(12, step_time=.7), [], 1, r"FAIL +step_time.*weak"),
        ("one value of a run", {"m.json": dump({"samples_per_sec": [100.0]})},
         {"m.json": dump({"samples_per_sec": [60.0]})}, [], 1, r"FAIL +samples_per_sec.*weak"),
        ("within 1.5 times", {"m.json": dump({"samples_per_sec": [100.0]})},
         {"m.json": dump({"samples_per_sec": [90.0]})}, [], 0, r"weak"),
    ]),
    ("a figure that runs are watched by", [
        ("accuracy gone", metrics(accuracy=.9), metrics(), [], 1, r"FAIL +accuracy(.|\n)*lost"),
        ("accuracy NaN", metrics(accuracy=.9), {"m.json": '{"latency_ms": 10.0, "accuracy": NaN}'}, [], 1,
         r"FAIL +accuracy(.|\n)*lost"),
        ("step time 0", {"m.json": canary()},
         {"m.json": canary(step_time={"mean": 0.0, "std": 0.0, "count": 50})}, [], 1, r"FAIL(.|\n)*lost"),
        ("rate below 0", {"m.json": canary()}, {"m.json": canary(approx_tokens_per_sec=-1)}, [], 1,
         r"FAIL +tokens_per_sec(.|\n)*lost"),
    ]),
    ("a trace, a rank", [
        ("trace", {"trace.json": trace(), **jsonl()}, jsonl(), [], 1, r"FAIL +ranks(.|\n)*lost: new has no trace"),
        ("trace, allowed", {"trace.json": trace(), **jsonl()}, jsonl(), ["--allow-lost", "trace"], 0, r"note"),
        ("rank", job((0, 1)), job((0,)), [], 1, r"FAIL +ranks(.|\n)*rank 1 of base is not in\s+new"),
        ("rank, allowed", job((0, 1)), job((0,)), ["--allow-lost", "rank", "--allow-lost", "device",
                                                  "--allow-lost", "steps"], 0, r"note +ranks"),
        ("device", {"trace.json": fixture("multi-gpu", "--steps", "4")},
         {"trace.json": fixture("healthy", "--steps", "4")}, [], 1, r"FAIL +devices"),
        ("steps", {"trace.json": fixture("healthy", "--steps", "12")},
         {"trace.json": fixture("healthy", "--steps", "6")}, [], 1, r"FAIL +steps"),
        ("file", {**jsonl(), **metrics()}, jsonl(), [], 1, r"FAIL +lost:"),
        ("log", {"t.log": log(100)}, {"t.log": log(50)}, [], 1, r"FAIL +last_step(.|\n)*ends early"),
        ("log, allowed", {"t.log": log(100)}, {"t.log": log(50)}, ["--allow-lost", "last_step"], 0,
         r"note +last_step"),
        ("records", {"m.json": dump([{"latency_ms": 10.0}] * 100)},
         {"m.json": dump([{"latency_ms": 10.0}] * 50)}, [], 1, r"FAIL +records"),
    ]),
    ("nothing of new can be read", [
        ("cut off", {"m.json": canary()}, {"m.json": canary()[:60]}, [], 1, r"FAIL +lost:(.|\n)*ends\s+too\s+early"),
        ("empty, of a trace", {"trace.json": trace()}, {"trace.json": ""}, [], 1, r"FAIL +ranks(.|\n)*lost: empty"),
        ("strict", {"m.json": canary()}, {"m.json": canary()[:60]}, ["--strict"], 2, r"ends too early"),
    ]),
    ("the run broke", [
        ("no memory", {"t.log": log(60)}, {"t.log": log(58) + TRACEBACK}, [], 1,
         r"FAIL +run_failed(.|\n)*line\s+59, after\s+step\s+58"),
        ("collective", {"t.log": log(60)}, {"t.log": log(58) + WATCHDOG}, [], 1, r"FAIL +run_failed(.|\n)*line\s+59"),
        ("signal", {"t.log": log(60)}, {"t.log": log(58) + "Killed\n"}, [], 1, r"FAIL +run_failed(.|\n)*line\s+59"),
        ("NaN", jsonl(), {"m.jsonl": re.sub(r'"loss": [\d.]+', '"loss": NaN', records(30))}, [], 1,
         r"FAIL +nan_steps"),
        ("skipped", {"t.log": log(60)},
         {"t.log": "".join(f"step {i} OVERFLOW! Rank 0 Skipping step. Attempted loss scale: {2 ** (70 - i)}\n"
                           f"step {i} loss 3.0 step_time 0.5s\n" for i in range(1, 61))}, [], 1,
         r"FAIL +run_failed"),
    ]),
    ("memory grows", [
        ("a leak", leaking(0), leaking(.05), [], 1, r"FAIL +leak"),
        ("a leak of both", leaking(.05), leaking(.05), [], 1, r"FAIL +leak"),
        ("diverged", jsonl(), {"m.json": canary().replace('"loss_diverged": false', '"loss_diverged": true'),
                               **jsonl()}, [], 1, r"FAIL +loss_diverged"),
    ]),
    ("a part of the step grew, and", [
        ("loader", {"trace.json": trace()}, {"trace.json": trace(2, loader=5.0)}, [], 1, r"FAIL +idle_data_loader"),
    ]),
    ("a part grew and the step did not", [
        ("parts that trade places", {"trace.json": trace()},
         {"trace.json": trace(2, loader=3.0, host=.05)}, [], 0, r"WARN +idle_data_loader"),
        ("the same, chosen", {"trace.json": trace()}, {"trace.json": trace(2, loader=3.0, host=.05)},
         ["--fail-on", "warn"], 1, r"WARN +idle_data_loader"),
        ("launches", {"trace.json": trace()}, {"trace.json": trace(2, pieces=40)}, [], 0, r"WARN +launches_per_step"),
        ("kl", values("kl", .01, .01), values("kl", .03, .01), [], 0, r"WARN +kl"),
        ("another GPU", on("Tesla T4", {"trace.json": trace()}),
         on("NVIDIA A10", {"trace.json": trace(2, loader=8.0)}), ["--allow-env", "gpu"], 0,
         r"WARN +step_time"),
    ]),
    ("a figure changed of which", [
        ("unknown", metrics(widget=10.0), metrics(widget=20.0), [], 0, r"CHANGED +widget"),
        ("unknown, strict", metrics(widget=10.0), metrics(widget=20.0), ["--strict-unknown"], 1, r"FAIL +widget"),
        ("a policy's loss", values("policy_loss", .1, .01), values("policy_loss", .3, .01), [], 0,
         r"CHANGED +policy_loss"),
        ("ten runs", [metrics(widget=10.0)] * 10, metrics(widget=20.0), [], 1, r"FAIL +widget"),
    ]),
    ("a setting, a count", [
        ("settings", metrics(seed=1, num_workers=4, run_id=17), metrics(seed=2, num_workers=8, run_id=18), [], 0,
         r"gate pass"),
        ("a spread", metrics(loss_std=.1), metrics(loss_std=.3), [], 0, r"gate pass"),
        ("only new", metrics(), metrics(latency_p99_ms=30.0), [], 0, r"note +latency_p99_ms"),
        ("a share", {"trace.json": trace()}, {"trace.json": trace(2, kernels=6.0)}, [], 0, r"note +gpu_busy"),
    ]),
    ("nothing could be compared", [
        ("nothing", {"f": fixture("artifact", "speedscope")}, {"f": fixture("artifact", "speedscope")}, [], 2,
         r"nothing was compared"),
        ("GPU", on("Tesla T4", {"trace.json": trace()}), on("NVIDIA A10", {"trace.json": trace()}), [], 2,
         r"not comparable"),
        ("ranks", job((0, 1)), job((0, 1, 2, 3), 4), [], 2, r"not comparable"),
        ("twice", "twice", jsonl(), [], 2, r"twice"),
    ]),
]

# What base against itself does not pass, either.
BROKEN = {"a leak of both", "nothing", "twice"}


def write(folder, files):
    os.makedirs(folder)
    for name, text in files.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
    return folder


def gate(*args):
    p = subprocess.run([TRACEQ, "gate", "--no-config", "--wide", "-n", "0", *args], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, timeout=60)
    return p.returncode, p.stdout.decode(errors="replace")


def expect(what, answer, code, said=""):
    global passed
    if answer[0] == code and re.search(said, answer[1]):
        passed += 1
    else:
        failures.append(f"{what}: exit {answer[0]}, not {code}, or not '{said}': {answer[1][:900]}")


def sides_of(folder, base, new):
    """BASE and NEW as arguments; of ten runs a store."""
    if base == "twice":
        run = write(f"{folder}/base", new)
        return [f"base={run}", f"base={run}"], f"new={run}"
    if isinstance(base, dict):
        return [write(f"{folder}/base", base)], write(f"{folder}/new", new)
    for i, run in enumerate(base):
        subprocess.run([TRACEQ, "baseline", "add", f"{folder}/store", write(f"{folder}/base{i}", run), "-q",
                        "--no-config"], check=True)
    return [f"{folder}/store"], write(f"{folder}/new", new)


def main():
    with open(DOCUMENT, encoding="utf-8") as f:
        table = f.read().split("### What fails, what warns, what passes")[1].split("\n\n")[1]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[2:]]
    begins = [begin for begin, _ in ROWS]
    if [next((b for b in begins if row[0].startswith(b)), row[0]) for row in rows] != begins:
        failures.append(f"rows of the table are {[row[0] for row in rows]}, those with pairs {begins}")
    with tempfile.TemporaryDirectory() as folder:
        for i, (_, pairs) in enumerate(ROWS):
            for k, (what, base, new, options, code, said) in enumerate(pairs):
                old, now = sides_of(f"{folder}/{i}-{k}", base, new)
                expect(what, gate(*options, *old, now), code, said)
                if what not in BROKEN and isinstance(base, dict):
                    expect(f"{what}, base itself", gate(*options, old[0], old[0]), 0)
    for text in failures:
        print(text)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
