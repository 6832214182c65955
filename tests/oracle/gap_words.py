#!/usr/bin/env python3
"""What names a gap: small traces with times known by heart, and the partition of each written down by hand.

Four steps of 20 ms.  Each begins with 8 ms of one thing the host does, launches a kernel of 10 ms at 8.01 ms
and then does nothing that is recorded but the step, or waits for the kernel in an .item().  All times in us:

           0            8000  8010   8030                        18030 18050 18060     20000
  host     [what it does][mm   launch]                  (item, sync          ) ]        |
  device                              [kernel                    ]

  without .item()   0-8000 the word, -8010 the operator, -8030 launch; 18030-20000 nothing (the step alone)
  with it           18030-18050 sync, -18060 the operator, -20000 nothing; but for the first step all before the
                    launch is behind the call: it had waited 9980 us, and 18030 + 9980 is where the launch is

Asked of idle, steps, diagnose, summary and diff, which all have to say these figures, to the nanosecond.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
STEPS, STEP = 4, 20000
NS = 1000

WORDS = {"dataloader": "data loader", "sync": "sync", "allocator": "allocator", "checkpoint": "checkpoint",
         "logging": "logging", "gc": "garbage collection", "compile": "compiling", "queue": "full queue",
         "runtime_call": "runtime call", "cpu_op": "CPU op", "python": "Python", "nothing": "nothing recorded",
         "launch": "launch", "dependency": "dependency", "unknown": "unknown launch"}

OP, CALL, REGION, FUNCTION = "cpu_op", "cuda_runtime", "user_annotation", "python_function"
LOADER = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
TOKENS = "transformers/tokenization_utils_fast.py(500): _batch_encode_plus"

# What the host does in the first 8 ms of a step: (category, name, start, end), the outer one first; what that is
# in us by class; and what the CPU was in, by the list of causes.
CASES = {
    "data loader": ([(REGION, LOADER, 0, 8000)], {"dataloader": 8000}, LOADER),
    "data loader, an operator of an old trace": ([(OP, LOADER, 0, 8000)], {"dataloader": 8000}, LOADER),
    "data loader, by Python alone":
        ([(FUNCTION, "torch/utils/data/dataloader.py(701): __next__", 0, 8000)], {"dataloader": 8000},
         "torch/utils/data/dataloader.py(701): __next__"),
    "data loader, by what fetches a batch":
        ([(FUNCTION, "torch/utils/data/dataloader.py(1280): _next_data", 0, 8000)], {"dataloader": 8000}, None),
    "data loader, by the queue that the loop takes batches from":
        ([(FUNCTION, "prefetch.py(40): batches", 0, 8000), (FUNCTION, "queue.py(154): get", 500, 8000),
          (FUNCTION, "threading.py(288): wait", 600, 7900)], {"dataloader": 7500, "python": 500}, None),
    "data loader, with operators and calls in it":
        ([(REGION, LOADER, 0, 8000), (OP, "aten::stack", 1000, 7000), (CALL, "cudaStreamIsCapturing", 1100, 6000)],
         {"dataloader": 8000}, None),
    "allocator": ([(CALL, "cudaMalloc", 0, 8000)], {"allocator": 8000}, "cudaMalloc"),
    "allocator, in an operator that tries again":
        ([(OP, "aten::empty", 0, 8000), (CALL, "cudaMalloc", 500, 1000), (CALL, "cudaFree", 1500, 4000),
          (CALL, "cudaMalloc", 4000, 7500)], {"allocator": 6500, "cpu_op": 1500}, None),
    "allocator, hip": ([(CALL, "hipMalloc", 0, 4000), (CALL, "hipFree", 4000, 8000)], {"allocator": 8000}, None),
    "allocator, emptied":
        ([(FUNCTION, "torch/cuda/memory.py(162): empty_cache", 0, 8000), (CALL, "cudaFree", 10, 7000)],
         {"allocator": 8000}, None),
    "checkpoint": ([(REGION, "save_checkpoint", 0, 8000), (OP, "aten::to", 100, 200)], {"checkpoint": 8000}, None),
    "checkpoint, by Python":
        ([(FUNCTION, "torch/serialization.py(850): save", 0, 8000), (FUNCTION, "<built-in function fsync>", 6000, 8000)],
         {"checkpoint": 8000}, None),
    "checkpoint, safetensors":
        ([(FUNCTION, "train.py(10): main", 0, 8000), (FUNCTION, "safetensors/torch.py(265): save_file", 0, 8000)],
         {"checkpoint": 8000}, None),
    "no checkpoint: activations that are computed again":
        ([(FUNCTION, "torch/utils/checkpoint.py(480): checkpoint", 0, 8000)], {"python": 8000},
         "torch/utils/checkpoint.py(480): checkpoint"),
    "logging": ([(FUNCTION, "<built-in function print>", 0, 8000)], {"logging": 8000}, "<built-in function print>"),
    "logging, of Python": ([(FUNCTION, "logging/__init__.py(1477): info", 0, 8000)], {"logging": 8000}, None),
    "logging, wandb": ([(FUNCTION, "wandb/sdk/wandb_run.py(1700): log", 0, 8000)], {"logging": 8000}, None),
    "logging, a region": ([(REGION, "log_metrics", 0, 8000)], {"logging": 8000}, "log_metrics"),
    "logging, within the data loader":
        ([(REGION, LOADER, 0, 8000), (FUNCTION, "<built-in function print>", 1000, 3000)],
         {"dataloader": 6000, "logging": 2000}, None),
    "garbage collection": ([(FUNCTION, "<built-in function collect>", 0, 8000)], {"gc": 8000}, None),
    "garbage collection, by itself": ([(FUNCTION, "Python GC", 0, 8000)], {"gc": 8000}, None),
    "garbage collection, a region": ([(REGION, "gc.collect", 0, 8000)], {"gc": 8000}, "gc.collect"),
    "compiling":
        ([(REGION, "_compile.compile_inner (dynamo_timed)", 0, 8000), (OP, "aten::empty", 100, 200)],
         {"compile": 8000}, None),
    "compiling, by Python":
        ([(FUNCTION, "torch/_dynamo/convert_frame.py(715): _convert_frame", 0, 8000)], {"compile": 8000}, None),
    "compiling, autotuning":
        ([(FUNCTION, "torch/_inductor/runtime/triton_heuristics.py(740): autotune_to_one_config", 0, 8000)],
         {"compile": 8000}, None),
    "compiling, a module is loaded": ([(CALL, "cudaModuleLoadData", 0, 8000)], {"compile": 8000}, "cudaModuleLoadData"),
    "no compiling: what was compiled runs":
        ([(REGION, "## Call CompiledFxGraph fb3en3pmdtsn2 ##", 0, 8000)], {"python": 8000}, None),
    "a Python function": ([(FUNCTION, "train.py(10): main", 0, 8000), (FUNCTION, TOKENS, 500, 7500)], {"python": 8000},
                          TOKENS),
    "a Python function in an operator":
        ([(OP, "MyFn", 0, 8000), (FUNCTION, "ops/myfn.py(12): forward", 500, 7500)], {"python": 7000, "cpu_op": 1000},
         "ops/myfn.py(12): forward"),
    "operators and calls in a function in an operator":
        ([(OP, "MyFn", 0, 8000), (FUNCTION, "ops/myfn.py(12): forward", 500, 7500), (OP, "aten::mul", 1000, 2000),
          (CALL, "cudaStreamIsCapturing", 3000, 3500)], {"python": 5500, "cpu_op": 2000, "runtime_call": 500}, None),
    "a hook in an operator, as old traces have optimizers; what is as long as it is around it":
        ([(OP, "Optimizer.step#SGD.step", 0, 8000), (FUNCTION, "torch/optim/optimizer.py(300): wrapper", 0, 8000),
          (FUNCTION, "train.py(88): hook", 1000, 7000)], {"python": 6000, "cpu_op": 2000}, "train.py(88): hook"),
    "a function that begins with an operator and ends before it":
        ([(OP, "MyFn", 0, 8000), (FUNCTION, "ops/myfn.py(12): forward", 0, 7000)], {"python": 7000, "cpu_op": 1000}, None),
    "logging, in a function in an operator":
        ([(OP, "MyLoss", 0, 8000), (FUNCTION, "train.py(55): log_loss", 500, 7500),
          (FUNCTION, "<built-in function print>", 1000, 7000)], {"logging": 6000, "python": 1000, "cpu_op": 1000}, None),
    "an operator": ([(OP, "aten::nonzero", 0, 8000)], {"cpu_op": 8000}, "aten::nonzero"),
    "another call": ([(CALL, "cudaStreamCreateWithFlags", 0, 8000)], {"runtime_call": 8000}, None),
    "short functions": ([(FUNCTION, "<built-in function print>", 100 + 20 * i, 109 + 20 * i) for i in range(90)],
                        {"python": 8000}, None),
}

checked = 0
failures = []


def expect(where, what, got, want):
    global checked
    checked += 1
    if got != want:
        failures.append(f"{where}: {what}: {got!r}, not {want!r}")


def trace(does, item):
    """The events of such a run."""
    out, number = [], 0

    def add(cat, name, start, end, **args):
        device = cat == "kernel"
        out.append({"ph": "X", "cat": cat, "name": name, "pid": 0 if device else 100, "tid": 7 if device else 100,
                    "ts": start, "dur": end - start, "args": args})

    for n in range(STEPS):
        at = 1000000 + n * STEP
        number += 2
        add(REGION, f"ProfilerStep#{n + 1}", at, at + STEP)
        for cat, name, start, end in does:
            add(cat, name, at + start, at + end)
        add(OP, "aten::mm", at + 8000, at + 8040)
        add(CALL, "cudaLaunchKernel", at + 8010, at + 8020, correlation=number)
        add("kernel", "gemm", at + 8030, at + 18030, correlation=number, device=0, stream=7)
        if item:
            add(OP, "aten::item", at + 8040, at + 18060)
            add(CALL, "cudaStreamSynchronize", at + 8050, at + 18050, correlation=number + 1)
    return {"traceEvents": out}


def wanted(case, item, does):
    """ns of a step by class, in the order of STEPS; what of it is behind the call."""
    each = collections.Counter({k: v * NS for k, v in case.items()})
    each.update(cpu_op=10 * NS, launch=20 * NS)
    kinds = {cat for cat, *_ in does}
    if item:
        each.update(sync=20 * NS, cpu_op=10 * NS, **{"python" if FUNCTION in kinds else "nothing": 1940 * NS})
    else:
        # nothing but the step, for longer than Python takes between calls
        each.update({"python" if FUNCTION in kinds else "nothing": 1970 * NS})
    first, later = 1950 * NS, (1950 + 8010) * NS
    return each, [first] + [later] * (STEPS - 1) if item else [0] * STEPS


def ask(*words):
    done = subprocess.run([TRACEQ, *words, "--json", "-q"], capture_output=True)
    if done.returncode > 1:
        failures.append(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.decode()}")
        return collections.defaultdict(list)
    return {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]}


def check_idle(where, path, each, behind, word, name, item):
    tables = ask("idle", path)
    row = tables["devices"][0]
    for key in WORDS:
        expect(where, f"idle: {key}", row[f"{key}_ns"], STEPS * each[key])
    expect(where, "idle", row["idle_ns"], STEPS * STEP * NS - STEPS * 10000 * NS)
    expect(where, "idle: sum", sum(row[f"{k}_ns"] for k in WORDS), row["idle_ns"])
    expect(where, "idle: behind", row["behind_sync_ns"], sum(behind))
    cause = max(tables["causes"], key=lambda r: r["idle_ns"])
    expect(where, "cause", cause["class"], WORDS[word])
    expect(where, "cause is behind", cause["behind"], "aten::item" if item else None)
    if name:
        expect(where, "the CPU was in", cause["name"], name)
        expect(where, "longest: the CPU was in", tables["longest"][0]["name"], name)
    expect(where, "longest is behind", tables["longest"][0]["behind"], "aten::item" if item else None)


def check_others(where, path, each, behind):
    for i, row in enumerate(ask("steps", path)["steps"]):
        for key in WORDS:
            expect(where, f"steps: {i}: {key}", row[f"idle_{key}_ns"], each[key])
        expect(where, f"steps: {i}: behind", row["idle_behind_sync_ns"], behind[i])
    parts = {r["part"]: r["sum_ns"] for r in ask("diagnose", path)["ledger"]}
    necks = {r["what"]: r["time_ns"] for r in ask("summary", path, "-n", "0")["bottlenecks"]}
    tables = ask("diff", path, path)
    ledger = {r["key"]: r["base_ns"] for r in tables["ledger"]}
    for key, word in WORDS.items():
        expect(where, f"diagnose: {key}", parts.get(f"idle: {word}"), STEPS * each[key])
        expect(where, f"summary: {key}", necks.get(f"GPU idle: {word}", 0), STEPS * each[key])
        expect(where, f"diff: {key}", ledger.get(f"idle_{key}", 0), each[key])
    gated = {r["id"]: r["base"] for r in tables["metrics"]}
    expect(where, "gate's idle_data_loader", gated.get("idle_data_loader") or 0, each["dataloader"])


# A step of 20 ms in which 8 ms of one thing are free is 40 % shorter, whether it waits in .item() or not: more
# than kernels of 10 ms that take half as long save, 25 %.  So the word is always that of what the host did.
VERDICTS = {"dataloader": "dataloader-bound", "allocator": "malloc-bound", "compile": "start-up"}


def check_verdict(where, path, word, others):
    """What the host did names the run, not the call before it."""
    verdict = ask("diagnose", path)["verdict"][0]["verdict"]
    expect(where, "verdict", verdict, VERDICTS.get(word, "host-bound"))
    rules = {r["rule"]: r for r in ask("diagnose", path)["findings"]}
    expect(where, "G10 warns", rules["G10"]["severity"] in ("WARN", "CRIT"), word == "dataloader")
    expect(where, "G15 warns", rules["G15"]["severity"] in ("WARN", "CRIT"), False)
    expect(where, "G02 warns", rules["G02"]["severity"] in ("WARN", "CRIT"), others)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        for case, (does, classes, name) in CASES.items():
            for item in (False, True):
                where = f"{case}, {'with' if item else 'without'} .item()"
                with open(path, "w") as f:
                    f.write(json.dumps(trace(does, item)))
                each, behind = wanted(classes, item, does)
                word = max(classes, key=classes.get)
                check_idle(where, path, each, behind, word, name, item)
                check_others(where, path, each, behind)
                check_verdict(where, path, word, set(classes) != {"dataloader"})
    for line in failures[:40]:
        print(f"FAIL {line}")
    print(f"{checked} passed, {len(failures)} failed" if not failures else
          f"{checked - len(failures)} passed, {len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
