"""What "Training Profiling Guide" has its readers write: logs of nvidia-smi, tables of the profiler,
prints of tracemalloc, py-spy's flame graph, a run's command line, traces."""
import gzip
import json

from documents.case import Case

HEAD = ("timestamp, name, utilization.gpu [%], utilization.memory [%], memory.used [MiB], "
        "memory.free [MiB], temperature.gpu\n")
SMI = HEAD + "".join(
    f"2025/11/30 12:00:{s:02}.123, NVIDIA A100, {g} %, 45 %, {m} MiB, 10000 MiB, 61\n"
    for s, g, m in ((0, 87, 30123), (1, 91, 30123), (2, 84, 30125), (3, 89, 30127)))
WORSE_SMI = SMI.replace("87 %", "37 %").replace("91 %", "41 %").replace("84 %", "34 %").replace(
    "89 %", "39 %").replace("3012", "3912")

TRACEMALLOC = "Current memory: 1.25GB\nPeak memory: 2.50GB\n"

RULE = "-" * 30 + "  " + "  ".join(["-" * 12] * 10) + "\n"
COLUMNS = ("Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg",
           "Self CUDA", "Self CUDA %", "CUDA total", "CUDA time avg")


def table(rows, *behind):
    """prof.key_averages().table(row_limit=10)"""
    text = RULE + f"{COLUMNS[0]:>30}  " + "  ".join(f"{c:>12}" for c in COLUMNS[1:])
    text += f"  {'# of Calls':>12}  \n" + RULE
    for name, *cells, calls in rows:
        text += f"{name:>30}  " + "  ".join(f"{c:>12}" for c in cells) + f"  {calls:>12}  \n"
    return text + RULE + "".join(line + "\n" for line in behind)


ROWS = [
    ("forward_pass", "10.00%", "1.000ms", "60.00%", "6.000ms", "2.000ms", "0.000us", "0.00%",
     "9.000ms", "3.000ms", 3),
    ("backward_pass", "8.00%", "0.800ms", "20.00%", "2.000ms", "666.667us", "0.000us", "0.00%",
     "11.000ms", "3.667ms", 3),
    ("optimizer_step", "5.00%", "500.000us", "12.00%", "1.200ms", "400.000us", "0.000us", "0.00%",
     "3.000ms", "1.000ms", 3),
    ("aten::mm", "40.00%", "4.000ms", "45.00%", "4.500ms", "75.000us", "14.000ms", "60.87%",
     "14.000ms", "233.333us", 60),
]
TABLES = table(ROWS, "Self CPU time total: 10.000ms", "Self CUDA time total: 23.000ms") + "\n"
TABLES = "".join(f"sorted by {by}\n" + TABLES for by in
                 ("self_cpu_time_total", "cuda_time_total"))
WORSE_TABLES = TABLES.replace("14.000ms", "44.000ms").replace("4.000ms  ", "8.000ms  ")

FLAGS = """\
./local_scripts/train_lambda.sh --enable-profiling --profiler-output-dir ./my_traces \
--profiler-wait-steps 10 --profiler-warmup-steps 2 --profiler-active-steps 5 --profiler-repeat 2 \
--enable-memory-logging --memory-log-steps 5
Step 5: GPU memory allocated: 2.50GB reserved: 4.60GB
Step 10: GPU memory allocated: 2.50GB reserved: 4.60GB
"""

SVG = """<?xml version="1.0" standalone="no"?>
<svg version="1.1" width="1200" height="100" xmlns="http://www.w3.org/2000/svg">
<g id="frames">
<g><title>all (200 samples, 100%)</title><rect x="0.0%" y="68" width="100%" height="15"/></g>
<g><title>main (python_scripts/train_modernBERT.py:10) (200 samples, 100.00%)</title>\
<rect x="0.0%" y="52" width="100%" height="15"/></g>
<g><title>train_step (python_scripts/train_modernBERT.py:42) (123 samples, 61.50%)</title>\
<rect x="0.0%" y="36" width="61.5%" height="15"/></g>
</g></svg>
"""
FOLDED = "main (train.py:10);train_step (train.py:42) 123\nmain (train.py:10);load (train.py:7) 77\n"


def trace(scale=1.0):
    """Twelve steps of forward_pass, backward_pass and optimizer_step, with a kernel each."""
    events = [{"ph": "M", "pid": 0, "tid": 0, "name": "process_name", "args": {"name": "python"}}]
    at, ident = 0.0, 0
    for step in range(12):
        begin = at
        for name, dur in (("forward_pass", 2000), ("backward_pass", 3000), ("optimizer_step", 900)):
            dur *= scale
            ident += 1
            ids = {"correlation": ident, "External id": ident}
            events += [
                {"ph": "X", "cat": "user_annotation", "name": name, "pid": 0, "tid": 0, "ts": at,
                 "dur": dur, "args": {"External id": 100 + ident}},
                {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 0, "tid": 0, "ts": at + 10,
                 "dur": dur - 20, "args": {"External id": ident}},
                {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 0, "tid": 0,
                 "ts": at + 20, "dur": 5, "args": ids},
                {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": at + 40,
                 "dur": dur - 60, "args": {"device": 0, "stream": 7, **ids}},
            ]
            at += dur
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step + 5}",
                       "pid": 0, "tid": 0, "ts": begin, "dur": at - begin, "args": {}})
    return json.dumps({"schemaVersion": 1, "traceEvents": events})


def packed(text):
    return gzip.compress(text.encode(), mtime=0)


TRACES = {"profiler_traces/lambda_4242.1764504000000000000.pt.trace.json.gz": packed(trace())}
WORSE_TRACES = {name: packed(trace(2)) for name in TRACES}

CASES = [
    Case("gpu_usage.csv", SMI, WORSE_SMI, ["30123", "30127", "61", "10000"], but={"diagnose"},
         also={"smi"}, gated=False),
    Case("memory.log", TRACEMALLOC, "Current memory: 2.25GB\nPeak memory: 5.50GB\n",
         ["1.25", "2.50"], but={"diagnose"}, gated=False),
    Case("tables.log", TABLES, WORSE_TABLES, ["14.000", "4.500", "1.200", "500.000", "60"],
         also={"top"}, gated=False),
    Case("run.log", FLAGS, FLAGS.replace("2.50GB", "6.50GB"), ["10", "2", "5", "2.50", "4.60"],
         but={"diagnose"}, gated=False),
    Case("profile.svg", SVG, None, ["123"], but={"metrics", "diagnose"}, also={"stacks", "top"}),
    Case("profile.txt", FOLDED, None, ["123", "77"], but={"metrics", "diagnose"},
         also={"stacks", "top"}),
    Case("trace.json", trace(), trace(2), but={"metrics"}),
    Case("traces/", TRACES, WORSE_TRACES, but={"metrics"}),
]
