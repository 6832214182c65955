"""What "Phase B Profiler Implementation" says a run leaves behind: its tree, and the files in it as
the code that the document describes writes them."""
import json

from documents.case import Case, worse_json
from documents.guide import trace

CONFIG = json.dumps({
    "batch_size": 32, "learning_rate": 0.001, "num_epochs": 5, "num_steps_per_epoch": 20,
    "input_size": 100, "hidden_size": 256, "output_size": 10, "seed": 42, "device": "cpu",
    "profiler_enabled": True}, indent=2)

# train.py --profiler on --epochs 5 --steps-per-epoch 20
STEPS = [0.0125, 0.0131, 0.0122, 0.0127, 0.0124, 0.0129, 0.0126, 0.0123, 0.0128, 0.0125] * 10
METRICS = json.dumps({
    "summary": {"total_steps": 100, "total_epochs": 5, "final_loss": 2.2987, "final_accuracy": 0.125,
                "average_step_time": sum(STEPS) / 100, "average_epoch_time": 0.2564},
    "losses": [round(2.3412 - 0.0004 * i, 4) for i in range(99)] + [2.2987],
    "accuracies": [0.0625, 0.09375, 0.09375, 0.125, 0.09375] * 20,
    "step_times": STEPS, "epoch_times": [0.2556, 0.2572, 0.2564, 0.2560, 0.2568]}, indent=2)

FORWARD, BACKWARD = [0.0041, 0.0043, 0.0040, 0.0042], [0.0061, 0.0064, 0.0060, 0.0062]


def mean(values):
    return sum(values) / len(values)


STAGE_TIMES = json.dumps({
    "stage_times": {"forward": FORWARD, "backward": BACKWARD, "epoch_0": [0.0002]},
    "average_times": {"forward": mean(FORWARD), "backward": mean(BACKWARD), "epoch_0": 0.0002},
    "total_steps": 4}, indent=2)
CONTEXT = json.dumps({
    "stage_times": {"forward": FORWARD, "backward": BACKWARD, "step_0": [0.0001]},
    "average_times": {"forward": mean(FORWARD), "backward": mean(BACKWARD), "step_0": 0.0001},
    "total_stages": 3, "total_steps": 4, "timestamp": 1764504000.5,
    "model_name": "SimpleModel"}, indent=2)
SUMMARY = json.dumps({
    "profiler_manager": {
        "enabled": True, "output_dir": "runs/run_1764504000",
        "stage_times": {"forward": mean(FORWARD), "backward": mean(BACKWARD)}, "total_steps": 4,
        "artifacts": {"trace_json": False, "op_stats_csv": False, "stage_times_json": True,
                      "memory_stats_json": False}},
    "profiler_context": {
        "output_dir": "runs/run_1764504000/profiler_context", "stages": ["forward", "backward"],
        "average_times": {"forward": mean(FORWARD), "backward": mean(BACKWARD)},
        "total_stages": 2, "total_steps": 4},
    "step_profiler": {"step_count": 100, "average_step_time": mean(STEPS), "total_time": sum(STEPS),
                      "step_times": STEPS}}, indent=2)
MEMORY_STATS = json.dumps({
    "step_count": 8, "peak_memory_usage": {"cpu": 1605632, "cuda": 1610612736},
    "timestamp": 1764504000.5}, indent=2)

OP_STATS = """\
Name,Self CPU Time (μs),CPU Time (μs),Self CUDA Time (μs),CUDA Time (μs),Count,\
Self CPU Memory (bytes),CPU Memory (bytes),Self CUDA Memory (bytes),CUDA Memory (bytes)
aten::addmm,110.25,140.5,80.5,80.5,1,0,0,1048576,1048576
aten::addmm,110.25,139.5,80.5,80.5,1,0,0,1048576,1048576
aten::relu,20.5,30.25,5.75,5.75,1,0,0,524288,1610612736
"autograd::engine::evaluate_function: AddmmBackward0, x",9.5,88.125,0.0,0.0,1,0,0,0,0
"""

REPORT = json.dumps({
    "timestamp": 1764504001.0, "profiler_dir": "runs/run_1764504000",
    "artifacts": {"trace_json": False, "op_stats_csv": False, "stage_times_json": True,
                  "memory_stats_json": True},
    "stage_times": json.loads(STAGE_TIMES), "operation_stats": None,
    "memory_stats": json.loads(MEMORY_STATS),
    "summary": {
        "total_artifacts": 2, "profiling_successful": False,
        "stage_summary": {"total_stages": 3, "total_steps": 4,
                          "average_times": json.loads(STAGE_TIMES)["average_times"]},
        "memory_summary": {"peak_cpu_memory": 1605632, "peak_cuda_memory": 1610612736,
                           "step_count": 8}}}, indent=2)

# Generated Artifacts: the tree as printed.
TREE = {
    "runs/run_1764504000/config.json": CONFIG,
    "runs/run_1764504000/metrics.json": METRICS,
    "runs/run_1764504000/profiler_summary.json": SUMMARY,
    "runs/run_1764504000/stage_times.json": STAGE_TIMES,
    "runs/run_1764504000/profiler_context/stage_times.json": CONTEXT,
}
WORKING = {**TREE,
           "runs/run_1764504000/torch_profiler/trace.json": trace(),
           "runs/run_1764504000/torch_profiler/op_stats.csv": OP_STATS,
           "runs/run_1764504000/torch_profiler/memory_stats.json": MEMORY_STATS}


def worse(files):
    return {name: trace(2) if name.endswith("trace.json") else
            text.replace("110.25", "210.25").replace("30.25", "90.25") if name.endswith("csv") else
            worse_json(text) for name, text in files.items()}


# runs/profiler_test/context, which check_profile.py --analysis is shown with
STANDALONE = {"runs/profiler_test/context/stage_times.json": CONTEXT}

CASES = [
    Case("config.json", CONFIG, None, but={"metrics", "diagnose", "report"}),
    Case("metrics.json", METRICS, worse_json(METRICS), but={"diagnose"}),
    Case("profiler_summary.json", SUMMARY, worse_json(SUMMARY)),
    Case("stage_times.json", STAGE_TIMES, worse_json(STAGE_TIMES)),
    Case("context.json", CONTEXT, worse_json(CONTEXT)),
    Case("memory_stats.json", MEMORY_STATS, worse_json(MEMORY_STATS), but={"metrics"},
         gated=False),
    Case("op_stats.csv", OP_STATS, OP_STATS.replace("110.25", "210.25"),
         ["220.5", "280.0", "161.0", "20.5", "30.25", "5.75", "9.5", "88.125", "1610612736"],
         but={"metrics"}, also={"top"}, gated=False),
    Case("profiler_report.json", REPORT, worse_json(REPORT)),
    Case("tree/", TREE, worse(TREE)),
    Case("working/", WORKING, worse(WORKING)),
    Case("standalone/", STANDALONE, worse(STANDALONE)),
    # only files that are no profile: INVALID
    Case("log-only/", {"train.log": "Step 10: loss=0.5\n", "config.json": CONFIG}, None, ["0.5"],
         but={"metrics", "diagnose", "report"}, checks=1),
]
