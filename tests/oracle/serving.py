#!/usr/bin/env python3
"""Servers: batches that annotations mark as vLLM, SGLang, TensorRT-LLM and TGI do, in traces written here.

A batch is a graph launch and the wait for its kernels, which take a tenth of a microsecond from one to the next; or,
of a prefill, launches one by one.  Between batches nothing is recorded for a given time.  Worked out from what was
written: how busy the GPU is in decodes and in the run, how much of the run lies idle between batches, which batches
are prefills; and the word: an idle server from half of the run on, whatever its batches are.
"""
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
REGION, CALL = "user_annotation", "cuda_runtime"

# Of each server a prefill's name and a decode's, by the number of the batch.
SERVERS = {
    "vllm": (lambda n: "execute_context_1(512)_generation_4(4)", lambda n: f"execute_context_0(0)_generation_{n}({n})"),
    "vllm, older": (lambda n: f"execute_new_{n + 1}_cached_4", lambda n: f"execute_new_0_cached_{n + 1}"),
    "sglang": (lambda n: f"step[EXTEND bs=1 toks={100 + n}]", lambda n: f"step[DECODE bs={n}]"),
    "sglang, nvtx": (lambda n: "forward_extend", lambda n: "forward_decode"),
    "tensorrt-llm": (lambda n: f"[Executor] _forward_step {n}: 2 ctx reqs, 8 gen reqs",
                     lambda n: f"[Executor] _forward_step {n}: 0 ctx reqs, 8 gen reqs"),
    "tgi": (lambda n: "Prefill", lambda n: "Decode"),
}

checked = 0
failures = []


def expect(where, what, got, want):
    global checked
    checked += 1
    if got != want:
        failures.append(f"{where}: {what}: {got!r}, not {want!r}")


def near(where, what, got, want, off=1e-6):
    global checked
    checked += 1
    if got is None or abs(got - want) > off:
        failures.append(f"{where}: {what}: {got!r}, not {want!r}")


class Trace:
    """Batches one behind the other; all times in us, whole ones or tenths."""

    def __init__(self):
        self.events, self.now, self.number = [], 1000.0, 0
        self.batches = []  # (start, end, busy, is a prefill)

    def add(self, cat, name, start, end, **args):
        device = cat == "kernel"
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": 0 if device else 100,
                            "tid": 7 if device else 100, "ts": round(start, 1), "dur": round(end - start, 1),
                            "args": args})

    def batch(self, name, kernels, each, is_prefill, pause):
        begin, busy, at = self.now, 0.0, self.now + 30
        self.number += 1
        first = self.number
        if not is_prefill:
            self.add(CALL, "cudaGraphLaunch", at, at + 20, correlation=first)
        end = at + 25
        for k in range(kernels):
            if is_prefill:
                self.number += 1
                self.add("cpu_op", "aten::mm", at, at + 12)
                self.add(CALL, "cudaLaunchKernel", at + 2, at + 10, correlation=self.number)
                at += 14
            start = max(end + 0.1, at + 4 if is_prefill else end)
            end = start + each
            self.add("kernel", "gemm", start, end, device=0, stream=7, correlation=self.number,
                     **({} if is_prefill else {"graph node id": k + 1}))
            busy += each
        self.number += 1
        self.add(CALL, "cudaStreamSynchronize", at + 40, end + 5, correlation=self.number)
        self.now = end + 10
        self.add(REGION, name, begin, self.now)
        self.batches.append((begin, self.now, busy, is_prefill))
        self.now += pause

    def ask(self, folder, command):
        path = os.path.join(folder, "t.json")
        with open(path, "w") as f:
            f.write(json.dumps({"traceEvents": self.events}))
        p = subprocess.run([TRACEQ, command, path, "--json", "-q"], capture_output=True, text=True)
        return {t["id"]: t["rows"] for t in json.loads(p.stdout)["tables"]}


def check(folder, server, pause, every):
    prefill, decode = SERVERS[server]
    t = Trace()
    for n in range(24):
        is_prefill = every and n % every == 0
        t.batch((prefill if is_prefill else decode)(n), 40 if is_prefill else 24, 99.9, is_prefill, pause)
    where = f"{server}, {pause} us between, prefill every {every}"
    steps, diagnose = t.ask(folder, "steps"), t.ask(folder, "diagnose")
    expect(where, "batches", len([r for r in steps["steps"] if r["step"] is not None]), 24)
    rows = {r["kind"]: r for r in steps["kinds"]}
    prefills = [b for b in t.batches if b[3]]
    expect(where, "kinds", sorted(rows), sorted({"usual"} | ({"prefill"} if prefills else set())))
    if prefills:
        expect(where, "prefills", rows["prefill"]["steps"], len(prefills))
        expect(where, "when", rows["prefill"]["when"], f"every {every} steps, from #0")
    verdict = diagnose["verdict"][0]
    usual = [b for b in t.batches[1:-1] if not b[3]]
    near(where, "busy of decodes", verdict["busy_ratio"],
         sum(b[2] for b in usual) / sum(b[1] - b[0] for b in usual), 1e-4)
    run = t.batches[-1][1] - t.batches[0][0]
    idle = pause * 23 / run
    between = [f for f in diagnose["findings"] if f["rule"] == "G24"]
    if idle >= 0.05:
        near(where, "idle between requests", between[0]["value_ratio"] if between else None, idle, 1e-6)
        busy = 100 * sum(b[2] for b in t.batches) / run
        expect(where, "busy of the run", verdict["run_text"],
               f"{busy:.1f}% of the run, {100 * idle:.1f}% idle between requests")
    else:
        expect(where, "nothing between", verdict["run_text"], None)
    expect(where, "is idle, else healthy", verdict["verdict"], "idle-server" if idle >= 0.2 else "healthy")
    save = [r for r in diagnose.get("changes", []) if r["change"].startswith("odd steps")]
    expect(where, "prefills save nothing", [r["saves_ratio"] for r in save], [])


def check_alike(folder):
    """Prefills that take as long as decodes are said to, and not to take 0 ns less."""
    t = Trace()
    for n in range(20):
        t.batch(f"execute_context_{n % 5 == 0:d}(512)_generation_4(4)", 24, 99.9, False, 20)
    said = [f["finding"] for f in t.ask(folder, "diagnose")["findings"] if f["rule"] == "G23"]
    expect("prefills as long as decodes", "said", said, ["prefill every 5 steps, from #0: as long as the others"])


def check_gate(folder):
    """Batches as long as they were, and more time between them: fewer requests are answered."""
    paths = []
    for pause in (20, 110, 1000):
        t = Trace()
        for n in range(24):
            t.batch(f"execute_context_0(0)_generation_4({n})", 24, 99.9, False, pause)
        paths.append(os.path.join(folder, f"{pause}.json"))
        with open(paths[-1], "w") as f:
            f.write(json.dumps({"traceEvents": t.events}))
        p = subprocess.run([TRACEQ, "gate", paths[0], paths[-1], "--json", "-q"], capture_output=True, text=True)
        row = next(r for t in json.loads(p.stdout)["tables"] for r in t["rows"] if r.get("check") == "between_steps")
        run = 24 * (t.batches[0][1] - t.batches[0][0]) + 23 * pause
        near(f"gate, {pause} us between", "idle of the run", float(row["new"]), 23 * pause / run, 1e-6)
        expect(f"gate, {pause} us between", "exit", p.returncode, int(23 * pause / run > 0.05))


def main():
    with tempfile.TemporaryDirectory() as folder:
        for server in SERVERS:
            for pause in (20, 1000, 9000):
                for every in (0, 6):
                    check(folder, server, pause, every)
        check_alike(folder)
        check_gate(folder)
    for f in failures[:40]:
        print("FAIL " + f)
    print(f"{checked - len(failures)} passed, {len(failures)} failed, 0 skipped")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
