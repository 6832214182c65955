#!/usr/bin/env python3
"""What may not pass in silence: a row each, from what users of gate met.  A run lost figures, broke, or
says less than its base; exit 0 would read as "nothing got worse".  Each pair is made by hand here, and
the base passes against itself."""
import json
import os
import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser

TRACEQ, FIXTURES = os.environ["TRACEQ"], os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "")
passed, failures = 0, []


def dump(value):
    return json.dumps(value)


def log(n, step=0.5, extra=""):
    return "".join(f"step {i} loss {3 - i * .001:.4f} step_time {step * (1 + i % 5 * .004):.4f}s{extra}\n"
                   for i in range(1, n + 1))


def records(n, **more):
    return "".join(dump({"step": i, "loss": 3 - i * .001, "step_time": .5 * (1 + i % 5 * .004), **more})
                   + "\n" for i in range(1, n + 1))


def canary(**perf):
    return dump({"run_id": "r", "perf": {"step_time": {"mean": .5, "std": .005, "count": 50},
                                         "approx_tokens_per_sec": 1000, "max_mem_mb": 3000, **perf},
                 "stability": {"nan_steps": 0, "loss_diverged": False}})


def profiler(cuda):
    return dump({"run_id": "r", "perf": {"step_time": {"mean": .5, "std": .005, "count": 50}},
                 "profiler": {"cuda_time_total_ms": cuda, "cpu_time_total_ms": 800.0,
                              "top_cuda_ops": [{"name": "aten::mm", "self_cuda_time_ms": cuda / 2,
                                                "count": 9}] if cuda else []}})


def sweep(sizes):
    return "batch_size,latency_per_sample_mean,throughput_samples_per_sec_mean,num_runs\n" + "".join(
        f"{b},{.02 / b ** .5:.5f},{b ** .5 / .02:.2f},10\n" for b in sizes)


def scores(valid, invalid):
    n = valid + invalid
    if not valid:  # the document's empty form
        return dump({"score_distribution": {"invalid_count": invalid, "invalid_rate": 0.0,
                                            "score_counts": {}}})
    return dump({"score_distribution": {
        "mean": 3.5, "std": 1.0, "total_samples": n, "invalid_count": invalid,
        "invalid_rate": invalid / n, "score_counts": {"3": valid // 2, "4": valid - valid // 2}}})


def accuracy(value):
    text = value if isinstance(value, str) else repr(value)
    body = '"full_dataset_metrics": {"latency_per_sample": 0.01, "throughput_samples_per_sec": 100.0'
    return "{" + body + (f', "accuracy": {text}' if text else "") + "}}"


def stages(**seconds):
    return dump({"stage_times": {k: [v] * 10 for k, v in seconds.items()},
                 "average_times": seconds, "total_steps": 10})


def table(allocated, reserved):
    return "".join(f"step {i}: loss=0.5 mem {allocated:.2f}GB allocated / {reserved:.2f}GB reserved\n"
                   for i in range(1, 31))


def mem(each):
    return "".join(f"step {i} loss 0.5 mem {10 + each * i + i % 3 * .02:.2f}GB\n" for i in range(1, 61))


def gpus(second):
    return "".join(f"step {i} GPU {g} allocated {a:.2f}GB loss=0.5\n"
                   for i in range(1, 31) for g, a in ((0, 2.0), (1, second)))


RATE = "Epoch {0} Tokens/sec: {1:.1f} samples/sec: {2:.1f}\n"


def rates(tokens, samples):
    return "".join(RATE.format(i, tokens + i % 3, samples + i % 3 * .1) for i in range(1, 31))


BLOCK = ("Baseline metrics:\n  Step time (mean): {:.4f}s\n  Tokens/sec: 2811\n"
         "  Peak memory: 6144MB\n")

def ops(scale):
    return ("Name,Self CPU Time (us),CPU Time (us),Self CUDA Time (us),CUDA Time (us),Count\n" + "".join(
        f"{name},{cpu},{cpu},{gpu * scale},{gpu * scale},3\n"
        for name, cpu, gpu in (("aten::addmm", 120.5, 8000.0), ("aten::relu", 20.0, 500.0))))


SETTINGS = {"batch_size": 8, "learning_rate": 1e-4, "seed": 1, "num_workers": 4}


def rows(sizes):
    return [{"batch_size": b, "latency_ms": 10 * b ** .5, "throughput": 100 * b ** .5} for b in sizes]


def columns(table):
    return "\n".join([",".join(table[0]), *(",".join(map(str, row.values())) for row in table)]) + "\n"


def unnumbered(n):
    return "".join(dump({"latency_ms": 10 + i % 5 * .01}) + "\n" for i in range(n))


def timed(**seconds):
    return [{"name": k, "seconds": float(v)} for k, v in seconds.items()]


def loadgen(result="VALID", p90=866000000):
    return f"""================================================
MLPerf Results Summary
================================================
Scenario : Server
Mode     : PerformanceOnly
Samples per second: 25.5
Result is : {result}
Mean latency (ns)               : 481000000
50.00 percentile latency (ns)   : 480000000
90.00 percentile latency (ns)   : {p90}
target_qps : 25
No errors encountered during test.
"""


def jmh(score, unit):
    return dump([{"jmhVersion": "1.36", "benchmark": "org.x.Bench.run", "mode": "avgt", "threads": 1, "primaryMetric": {
        "score": score, "scoreError": .1, "scoreConfidence": [score - .1, score + .1],
        "scorePercentiles": {"0.0": score, "50.0": score, "100.0": score}, "scoreUnit": unit,
        "rawData": [[score, score]]}, "secondaryMetrics": {}}])


def megatron(nan):
    return "".join(f" [2025-03-01 10:{i // 60:02d}:{i % 60:02d}] iteration {i:8d}/    1000 | elapsed time per iteration (ms): "
                   f"{812 + i % 5 * .4:.1f} | global batch size:   256 | lm loss: {3 - i * .001:.6E} | loss scale: 1.0 | "
                   f"number of skipped iterations:   0 | number of nan iterations: {nan:3d} |\n" for i in range(1, 61))


# What a run that broke says last, or its launcher, scheduler, container or kernel.
ENDS = [
    "run.sh: line 12: 12345 Killed                  python train.py",
    "slurmstepd: error: Detected 1 oom_kill event in StepId=123.0. Some of the step tasks have been OOM Killed.",
    "slurmstepd: error: *** JOB 1234 ON node1 CANCELLED AT 2025-01-01T00:00:00 DUE TO TIME LIMIT ***",
    "srun: error: node1: task 3: Exited with exit code 1",
    "command terminated with exit code 137",
    "mpirun noticed that process rank 0 with PID 0 on node x exited on signal 9 (Killed).",
    "torch.distributed.elastic.multiprocessing.api: failed (exitcode: 1) local_rank: 0 (pid: 12) of binary: python",
    "RuntimeError: DataLoader worker (pid 1234) is killed by signal: Killed.",
    "ValueError: Expected input batch_size (32) to match target batch_size (16).",
    "[rank3]: OSError: [Errno 28] No space left on device",
    "AssertionError",
    "KeyboardInterrupt",
    "tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with shape[32,512]",
    "FloatingPointError: Minimum loss scale reached (0.0001). Your loss is probably exploding.",
    "Loss is nan, stopping training",
    "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.",
    "thread 'main' panicked at src/main.rs:12:5:",
    "Bus error (core dumped)",
]
# What no run broke by.
ENDS_WELL = ["Process finished with exit code 0", "ValError: 0.25", "no errors: done", "Exception handling: on",
             "all workers: exit status 0"]

# what, base, new: {file: text} each
ROWS = [
    ("1000 records that become 300", {"m.jsonl": records(1000)}, {"m.jsonl": records(300)}),
    ("a log that ends early", {"t.log": log(100)}, {"t.log": log(40)}),
    ("10 records, twice as slow", {"m.jsonl": records(12)}, {"m.jsonl": records(12, step_time=1.0)}),
    ("one value", {"m.json": dump({"samples_per_sec": [100.0]})},
     {"m.json": dump({"samples_per_sec": [50.0]})}),
    ("a batch size that vanishes", {"s.csv": sweep([1, 8, 32])}, {"s.csv": sweep([1, 8])}),
    ("all scores invalid, in the empty form", {"s.json": scores(95, 5)}, {"s.json": scores(0, 100)}),
    ("more scores invalid", {"s.json": scores(95, 5)}, {"s.json": scores(50, 50)}),
    ("NaN iterations that the log counts", {"t.log": megatron(0)}, {"t.log": megatron(1)}),
    ("accuracy NaN", {"m.json": accuracy(.92)}, {"m.json": accuracy("NaN")}),
    ("accuracy null", {"m.json": accuracy(.92)}, {"m.json": accuracy("null")}),
    ("accuracy gone", {"m.json": accuracy(.92)}, {"m.json": accuracy("")}),
    ("metrics.json cut off", {"metrics.json": canary(), "t.log": log(40)},
     {"metrics.json": canary()[:60], "t.log": log(40)}),
    ("metrics.json empty", {"metrics.json": canary(), "t.log": log(40)},
     {"metrics.json": "", "t.log": log(40)}),
    ("metrics.json cut off, alone", {"metrics.json": canary()}, {"metrics.json": canary()[:60]}),
    ("metrics.json empty, alone", {"metrics.json": canary()}, {"metrics.json": ""}),
    ("metrics.json without a figure", {"metrics.json": canary()}, {"metrics.json": "{}"}),
    ("records cut off in the first", {"m.jsonl": records(30)}, {"m.jsonl": records(30)[:20]}),
    ("a log of blanks", {"t.log": log(40)}, {"t.log": "\n\n"}),
    ("metrics.json gone", {"metrics.json": canary(), "t.log": log(40)}, {"t.log": log(40)}),
    ("CUPTI's total 0", {"m.json": profiler(400.0)}, {"m.json": profiler(0.0)}),
    ("times of CUDA 0 in a table", {"op_stats.csv": ops(1)}, {"op_stats.csv": ops(0)}),
    ("times of CUDA not in a table", {"op_stats.csv": ops(1)},
     {"op_stats.csv": "".join(",".join(line.split(",")[:3] + line.split(",")[5:]) + "\n"
                              for line in ops(1).splitlines())}),
    ("the peak of memory 0", {"m.json": canary()}, {"m.json": canary(max_mem_mb=0)}),
    ("another peak 0", {"m.json": dump({"peak_memory_gb": 3.0, "latency_ms": 3.0})},
     {"m.json": dump({"peak_memory_gb": 0.0, "latency_ms": 3.0})}),
    ("step time 0", {"m.json": canary()},
     {"m.json": canary(step_time={"mean": 0.0, "std": 0.0, "count": 50})}),
    ("tokens a second -1", {"m.json": canary()}, {"m.json": canary(approx_tokens_per_sec=-1)}),
    ("Tokens/sec halved", {"t.log": rates(1000, 50)}, {"t.log": rates(500, 50)}),
    ("samples/sec halved", {"t.log": rates(1000, 50)}, {"t.log": rates(1000, 25)}),
    ("a key with the word baseline", {"m.json": dump({"baseline": {"step_time_s": .5}})},
     {"m.json": dump({"baseline": {"step_time_s": 1.0}})}),
    ("a heading with the word baseline", {"t.log": BLOCK.format(.5)},
     {"t.log": BLOCK.format(1)}),
    ("a new stage", {"s.json": stages(forward=.01, backward=.02)},
     {"s.json": stages(forward=.01, backward=.02, checkpoint=.03)}),
    ("a stage renamed and slower", {"s.json": stages(forward=.01, backward=.02)},
     {"s.json": stages(forward=.01, bwd=.06)}),
    ("memory of no more name that grows", {"t.log": mem(0)}, {"t.log": mem(.02)}),
    ("allocated beside reserved", {"t.log": table(2.5, 4.6)}, {"t.log": table(4.4, 4.6)}),
    ("the second of two GPUs", {"t.log": gpus(2.0)}, {"t.log": gpus(6.0)}),
    ("scores by themselves, all invalid", {"m.json": dump({
        "total": 100, "valid_count": 95, "invalid_count": 5, "invalid_rate": .05, "mean_score": 3.5,
        "score_counts": {"3": 45, "4": 50}})},
     {"m.json": dump({"invalid_count": 100, "invalid_rate": 0.0})}),
    ("an accuracy by another name NaN", {"m.json": dump({"val_acc": .9, "latency_ms": 10.0})},
     {"m.json": '{"val_acc": NaN, "latency_ms": 10.0}'}),
    ("an accuracy by another name gone", {"m.json": dump({"top1_acc": .9, "latency_ms": 10.0})},
     {"m.json": dump({"latency_ms": 10.0})}),
    ("a batch size that vanishes from a list", {"m.json": dump(rows([1, 8, 32]))},
     {"m.json": dump(rows([1, 8]))}),
    ("one from JSON lines", {"m.jsonl": "\n".join(map(dump, rows([1, 8, 32])))},
     {"m.jsonl": "\n".join(map(dump, rows([1, 8])))}),
    ("one from a table of other columns", {"m.csv": columns(rows([1, 8, 32]))},
     {"m.csv": columns(rows([1, 8]))}),
    ("a list of batch sizes, one twice as slow", {"m.json": dump(rows([1, 8, 32]))},
     {"m.json": dump(rows([1, 8]) + [{**rows([32])[0], "throughput": 282.0}])}),
    ("records without a step", {"m.jsonl": unnumbered(1000)}, {"m.jsonl": unnumbered(300)}),
    ("a list that ends early", {"m.json": dump({"latencies_ms": [10.0, 10.1] * 500})},
     {"m.json": dump({"latencies_ms": [10.0, 10.1] * 150})}),
    ("a new stage in any JSON", {"m.json": dump({"stages": timed(load=1, infer=2)})},
     {"m.json": dump({"stages": timed(load=1, infer=2, post=3)})}),
    ("a stage renamed in any JSON", {"m.json": dump({"stage_times_ms": {"load": 10.0, "forward": 20.0}})},
     {"m.json": dump({"stage_times_ms": {"load": 10.0, "fwd": 40.0}})}),
    ("a time whose unit its group says", {"m.json": dump({"timing_ms": {"load": 10.0, "forward": 20.0}})},
     {"m.json": dump({"timing_ms": {"load": 10.0, "forward": 40.0}})}),
    ("figures beside settings", {"m.json": dump({**SETTINGS, "latency_ms": 10.0})},
     {"m.json": dump({**SETTINGS, "latency_ms": 20.0})}),
    ("a figure between others, without a colon", {"t.log": log(60, extra=" data_time_ms 3.0 copy_ms 2.0")},
     {"t.log": log(60, extra=" data_time_ms 6.0 copy_ms 2.0")}),
    ("every third step slower", {"t.log": log(60)},
     {"t.log": "".join(line if i % 3 else line.replace("step_time 0.5", "step_time 0.8")
                       for i, line in enumerate(log(60).splitlines(True)))}),
    ("how long all of it took", {"m.json": dump({"train_runtime": 100.0, "train_samples_per_second": 30.0})},
     {"m.json": dump({"train_runtime": 200.0, "train_samples_per_second": 30.0})}),
    ("a wall clock alone", {"m.json": dump({"wall_clock_s": 100.0, "steps": 3})},
     {"m.json": dump({"wall_clock_s": 200.0, "steps": 3})}),
    ("energy", {"m.json": dump({"energy_joules": 100.0})}, {"m.json": dump({"energy_joules": 200.0})}),
    ("LoadGen calls its result invalid", {"s.txt": loadgen()}, {"s.txt": loadgen(result="INVALID")}),
    ("LoadGen's 90th percentile", {"s.txt": loadgen()}, {"s.txt": loadgen(p90=2 * 866000000)}),
    ("JMH's average time", {"j.json": jmh(10.5, "us/op")}, {"j.json": jmh(21.0, "us/op")}),
    ("JMH's throughput", {"j.json": jmh(21.0, "ops/ms")}, {"j.json": jmh(10.5, "ops/ms")}),
    ("a loss that is worse", {"m.jsonl": records(100)},
     {"m.jsonl": records(100).replace('"loss": ', '"loss": 1')}),
    ("a traceback at the end", {"t.log": log(100)},
     {"t.log": log(95) + "Traceback (most recent call last):\n  File \"t.py\", line 3, in f\n"
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"}),
    *((f"the end: {line[:40]}", {"t.log": log(100)}, {"t.log": log(97) + line + "\n"}) for line in ENDS),
    ("NaN losses", {"m.jsonl": records(100)},
     {"m.jsonl": records(90) + "".join(f'{{"step": {i}, "loss": NaN, "step_time": 0.5}}\n'
                                       for i in range(91, 101))}),
]


def write(folder, files):
    os.makedirs(folder)
    for name, text in files.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
    return folder


def ask(*args):
    done = subprocess.run([TRACEQ, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def expect(what, code, want, said):
    global passed
    if code == want:
        passed += 1
    else:
        failures.append(f"{what}: exit {code}, not {want}: {said.strip()[:600]}")


def check_rows(folder):
    """As a file, in a folder, and in a folder beside the same trace."""
    trace = subprocess.run([FIXTURES, "healthy", "--steps", "3"], stdout=subprocess.PIPE, check=True).stdout
    for i, (what, base, new) in enumerate(ROWS):
        for layout in ("file", "folder", "trace"):
            if layout == "file" and (len(base) > 1 or len(new) > 1):
                continue
            more = {"trace.json": trace} if layout == "trace" else {}
            sides = [write(f"{folder}/{i}{layout}{k}", {**files, **more})
                     for k, files in enumerate((base, new))]
            if layout == "file":
                sides = [os.path.join(at, *files) for at, files in zip(sides, (base, new))]
            a, b = sides
            expect(f"{what}, {layout}", *before(ask("gate", a, b, "-q", "--no-config"), 1))
            expect(f"{what}, {layout}, base itself", *before(ask("gate", a, a, "-q", "--no-config"), 0))


def before(answer, want):
    return answer[0], want, answer[1]


# More of it is better; less of it is better.
MORE = ("goodput_pct MFU steps_per_second it/s samples_per_gpu_per_sec examples_per_second images/sec gpu_util sm_active "
        "tensor_active cache_hit_ratio cache_hits success pass@1 mAP_50 GFLOP/s tflops_per_gpu bandwidth_gbps speedup "
        "scaling_efficiency overlap_pct tokens_per_dollar tests_passed_rate").split()
LESS = ("gpu_hours cost_usd energy_wh checkpoint_save_s startup_seconds compile_time_s max_memory_allocated peak_rss_kb "
        "latency.p99 wer fid bits_per_byte val_bpb queue_time_ms cache_misses bubble_fraction idle_pct nccl_time_pct "
        "page_faults recompiles graph_breaks kernel_launches restarts eval_loss dropped_requests").split()


def check_names(folder):
    """What a figure's name says of its better side, a figure alone."""
    for sign, names in ((1, MORE), (-1, LESS)):
        for name in names:
            low, high = ((.2, .4) if "/" not in name and re.search("pct|ratio|rate|frac|util|active|MFU|success|pass|mAP|acc|eff", name)
                         else (4.0e9, 8.0e9) if "memory" in name or "rss" in name else (100.0, 200.0))
            scale = 100 if "pct" in name or "util" in name else 1
            files = []
            for value in (low, high):
                inner = scale * value
                for part in reversed(name.split(".")):
                    inner = {part: inner}
                files.append(os.path.join(write(f"{folder}/{len(os.listdir(folder))}", {"m.json": dump(inner)}), "m.json"))
            for a, b, better in ((*files, sign), (*files[::-1], -sign)):
                expect(f"{name} is {'better' if better > 0 else 'worse'}",
                       *before(ask("gate", a, b, "-q", "--no-config"), int(better < 0)))


def check_ends(folder):
    """What ends as runs do, and an error behind which steps go on."""
    base = write(f"{folder}/ends", {"t.log": log(100)})
    for i, line in enumerate(ENDS_WELL):
        new = write(f"{folder}/ends{i}", {"t.log": log(100) + line + "\n"})
        expect(f"ends well: {line}", *before(ask("gate", base, new, "-q", "--no-config"), 0))
    twice = [write(f"{folder}/work{n}", {"m.json": dump({"train_runtime": 100.0 * n, "total_flos": 3e15 * n,
                                                         "train_samples_per_second": 30.0})}) for n in (1, 2)]
    expect("twice the work takes twice as long", *before(ask("gate", *twice, "-q", "--no-config"), 0))
    lines = log(100).splitlines(True)
    new = write(f"{folder}/stumbled", {"t.log": "".join([*lines[:50], "ValueError: a bad record, skipped\n", *lines[50:]])})
    expect("steps go on", *before(ask("gate", base, new, "-q", "--no-config"), 0))


def check_trace(folder):
    """A trace that is gone, a rank, and one run given twice as base."""
    trace = subprocess.run([FIXTURES, "healthy", "--steps", "6"], stdout=subprocess.PIPE, check=True).stdout
    both = write(f"{folder}/both", {"trace.json": trace, "t.log": log(40)})
    alone = write(f"{folder}/alone", {"t.log": log(40)})
    expect("a trace gone", *before(ask("gate", both, alone, "-q", "--no-config"), 1))
    for ranks in (2, 1):
        at = f"{folder}/ranks{ranks}"
        subprocess.run([FIXTURES, "multi-rank", "--all-ranks", at, "--world", "2", "--steps", "4"],
                       check=True, stdout=subprocess.DEVNULL)
        if ranks == 1:
            for name in os.listdir(at):
                if "1" in name:
                    os.remove(os.path.join(at, name))
    expect("a rank gone",
           *before(ask("gate", f"{folder}/ranks2", f"{folder}/ranks1", "-q", "--no-config"), 1))
    for command in ("gate", "diff"):
        code, said = ask(command, f"base={alone}", f"base={alone}", f"new={alone}", "--no-config")
        expect(f"{command}: a run that is twice there as base is said", int("twice" in said), 1, said)


def check_store(folder):
    """A reason for a run that passes anyway begins no level: the runs before it go on counting."""
    runs = [write(f"{folder}/run{i}", {"t.log": log(40, .5 * (1 + i % 3 * .002))}) for i in range(12)]
    for run in runs[:-1]:
        ask("baseline", "add", f"{folder}/store", run, "-q")
    code, said = ask("baseline", "add", f"{folder}/store", runs[-1], "--accept", "new data")
    expect("a reason that is not needed is said", int("it passes" in said), 1, said)
    _, said = ask("gate", f"{folder}/store", runs[0], "-q", "--no-config")
    expect("a reason that is not needed keeps the base", int("12 v 1" in said), 1, said)


class Page(HTMLParser):
    """Headings with the cells below them, points of pictures, and what is fetched from elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.sections, self.points, self.fetched, self.at, self.first = [], 0, [], "", ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.at = tag if tag in ("h2", "th", "p") else self.at
        if tag == "p" and "answer" in attrs.get("class", ""):
            self.at = "answer"
        self.points += tag == "circle"
        self.fetched += [attrs[k] for k in ("src", "href", "xlink:href") if not attrs.get(k, "#").startswith("#")]
        if tag == "h2":
            self.sections.append(["", ""])

    def handle_endtag(self, tag):
        self.at = "" if tag in ("h2", "th", "p") else self.at

    def handle_data(self, data):
        if self.at == "answer":
            self.first += data
        elif self.sections and self.at in ("h2", "th"):
            self.sections[-1][self.at == "th"] += data


def check_page(folder):
    """gate --html: the verdict, what fails with its runs, what warns, what passes; nothing from elsewhere."""
    evil = "<script>alert(1)</script>"
    runs = [write(f"{folder}/page{i}", {"m.jsonl": records(40, step_time=.5 * (1 + i % 3 * .002),
                                                           **{evil + "_ms": 5.0})}) for i in range(12)]
    bad = write(f"{folder}/page", {"m.jsonl": records(40, step_time=.7, **{evil + "_ms": 9.0})})
    for run in runs:
        ask("baseline", "add", f"{folder}/pages", run, "-q")
    for i, (side, option) in enumerate(((f"{folder}/pages", "--html"), (runs[0], "-o"))):
        path = f"{folder}/page.html"
        code, said = ask("gate", side, bad, option, path, "-q", "--no-config")
        with open(path, encoding="utf-8") as f:
            text = f.read()
        page = Page(text)
        said = f"{page.first} {page.sections}"
        expect(f"page {i}", code, 1, said)
        expect(f"page {i}: the verdict first", int("FAIL" in page.first and "failed" in page.first), 1, said)
        order = [s[0] for s in page.sections]
        expect(f"page {i}: sections", int(order == ["Answer", "What fails", "What passes"]), 1, said)
        fails = page.sections[1][1]
        expect(f"page {i}: what fails", int("step_time" in fails and evil in fails and "loss" not in fails), 1, said)
        expect(f"page {i}: names are escaped", int(evil in text), 0, said)
        expect(f"page {i}: points", page.points, 0 if i else 2 * 13, said)
        expect(f"page {i}: nothing is fetched", len(page.fetched), 0, said)


def check_cases(folder):
    """Logs of trainers and servers, and the same a quarter slower; runs that broke; CI's benchmarks."""
    def pair(base, new, want, *more):
        where = [os.path.join(SHARED, "cases", x) for x in (base, new)]
        expect(f"{base} {new}", *before(ask("gate", *where, "-q", "--no-config", *more), want))
    logs = sorted(x for x in os.listdir(f"{SHARED}/cases/logs") if x.endswith("_base.log"))
    for name in logs:
        pair(f"logs/{name}", f"logs/{name.replace('_base', '_slow')}", 1)
        pair(f"logs/{name}", f"logs/{name}", 0)
    pair("logs/grpo.log", "logs/grpo.log", 0)
    for name in ("nccl_timeout", "oom", "short5"):
        pair("crash/titan_base.log", f"crash/{name}.log", 1)
    pair("bench/base.txt", "bench/ttft_bad.txt", 1)
    for name in ("gab", "gbench", "pytest"):
        pair(f"bench/{name}_a.json", f"bench/{name}_b.json", 1)
    subprocess.run([sys.executable, f"{SHARED}/cases/traces/faster_run.py"], check=True, cwd=folder,
                   stdout=subprocess.DEVNULL)
    runs = [f"base={folder}/gk{i}.json" for i in range(6)]
    expect("a faster run", *before(ask("gate", *runs, f"new={folder}/gfast.json", "--no-config"), 0))


def check_first(folder):
    """What broke a run is said before all else that is said of it."""
    trace = subprocess.run([FIXTURES, "healthy", "--steps", "3"], stdout=subprocess.PIPE, check=True).stdout
    text = log(30) + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
    at = write(f"{folder}/broke", {"trace.json": trace, "t.log": text})
    for command in ([], ["diagnose"], ["metrics"], ["check"]):
        for path in [at, f"{at}/t.log"][:2 - (command == ["diagnose"])]:
            done = subprocess.run([TRACEQ, *command, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=60)
            first = done.stdout.decode().split("\n")[0]
            expect(f"{command} {path}: what broke is first",
                   int("the run broke: line 31, after step 30" in first), 1, first)


def check_diff(folder):
    """A headline never says "no change" while a row changed."""
    a = write(f"{folder}/da", {"m.json": dump({"widget_score_x": 100.0, "step_time": [.5] * 30})})
    b = write(f"{folder}/db", {"m.json": dump({"widget_score_x": 250.0, "step_time": [.5] * 30})})
    _, said = ask("diff", a, b, "-q", "--no-config")
    expect("diff: a change without a direction is in the headline",
           int("1 changed" in said.split("\n\n")[0]), 1, said)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_rows(folder)
        check_names(folder)
        check_ends(folder)
        check_trace(folder)
        check_store(folder)
        check_page(folder)
        if os.path.isdir(f"{SHARED}/cases/logs"):
            check_cases(folder)
        check_diff(folder)
        check_first(folder)
    for text in failures:
        print(text)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
