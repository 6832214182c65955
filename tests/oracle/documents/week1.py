"""What "Week 1: Baseline Profiling" writes below week1/, and its example output."""
import csv
import io
import json

from documents.case import Case, worse_csv, worse_json
from documents.guide import table, trace

# Example Output: sizes 1 and 32; between them a sweep that passes through both.
SIZES = (1, 4, 8, 16, 32, 64)
LATENCY = {1: (25.34, 1.23), 4: (14.10, 0.7), 8: (10.55, 0.5), 16: (9.21, 0.46), 32: (8.76, 0.45),
           64: (8.95, 0.5)}
RATE = {1: (39.47, 1.91), 4: (70.95, 3.5), 8: (94.83, 4.5), 16: (108.64, 5.4), 32: (114.28, 5.86),
        64: (111.8, 6.2)}
MEMORY = {1: 1234.56, 4: 1450.0, 8: 1740.0, 16: 2300.0, 32: 3456.78, 64: 5700.0}
METRICS = ("latency_total", "latency_per_sample", "latency_per_batch", "throughput_samples_per_sec",
           "throughput_batches_per_sec", "cpu_mem_used", "gpu_mem_used", "peak_gpu_mem")


def row(size):
    """Means and deviations as the document has them; the other three of five around them."""
    ms, std = LATENCY[size]
    rate, rate_std = RATE[size]
    of = {"latency_total": (ms, std), "latency_per_sample": (ms / 1e3, std / 1e3),
          "latency_per_batch": (ms * size / 1e3, std * size / 1e3),
          "throughput_samples_per_sec": (rate, rate_std),
          "throughput_batches_per_sec": (rate / size, rate_std / size),
          "cpu_mem_used": (12.5, 0.5), "gpu_mem_used": (MEMORY[size], 0.25),
          "peak_gpu_mem": (MEMORY[size] + 1976.14, 1.5)}
    cells = {}
    for name in METRICS:
        m, s = of[name]
        for stat, v in (("mean", m), ("std", s), ("min", m - s), ("max", m + s), ("median", m)):
            cells[f"{name}_{stat}"] = round(v, 9)
    return {**cells, "batch_size": size, "num_samples": 1000, "num_runs": 10}


ROWS = [row(size) for size in SIZES]


def as_csv(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


DETAILED = as_csv(ROWS)
BASELINE = json.dumps({
    "model_info": {
        "model_type": "qwen2", "vocab_size": 151936, "hidden_size": 896, "num_hidden_layers": 24,
        "num_attention_heads": 14, "max_position_embeddings": 32768, "total_params": 494033920,
        "trainable_params": 494033920, "non_trainable_params": 0, "param_size_mb": 1976.14,
        "buffer_size_mb": 0.0, "total_size_mb": 1976.14, "total_params_millions": 494.03392},
    "dataset_info": {"num_samples": 369475, "num_labels": 23, "sample_size_profiled": 1000},
    "batch_size_profiling": ROWS,
    "full_dataset_metrics": {
        "batch_size": 16, "accuracy": 0.9207, "f1_macro": 0.9012, "f1_weighted": 0.9198,
        "latency_total": 90.23, "latency_per_sample": 0.009137, "throughput_samples_per_sec": 109.45,
        "cpu_mem_used": 35.5, "gpu_mem_used": 2.25, "peak_gpu_mem": 4276.5}}, indent=2)

CONFIG = """\
model:
  name: "codefactory4791/intent-classification-qwen"  # Your fine-tuned model
  device: "cuda"  # or "cpu"
  dtype: "float32"  # Options: float32, float16, bfloat16
dataset:
  hf_name: "codefactory4791/amazon_test"
  split: "test"
  local_path: "./data/val_df.csv"
  sample_sizes: [100, 500, 1000]  # For profiling
profiling:
  batch_sizes: [1, 4, 8, 16, 32, 64]  # Test different batch sizes
  num_warmup_runs: 3
  num_measurement_runs: 10  # Runs per batch size
  max_length: 512
"""
LABELS = json.dumps({"label2id": {"electronics": 0, "groceries": 1, "arts & crafts": 2},
                     "id2label": {"0": "electronics", "1": "groceries", "2": "arts & crafts"},
                     "num_labels": 3})
VAL_DF = 'text,labels,label_id\n"A phone, with a case",electronics,0\nRice,groceries,1\n'

STACKS = table([
    ("model_inference", "12.00%", "1.200ms", "95.00%", "9.500ms", "950.000us", "0.000us", "0.00%",
     "31.000ms", "3.100ms", 10),
    ("aten::addmm", "45.00%", "4.500ms", "47.00%", "4.700ms", "2.798us", "28.000ms", "90.00%",
     "28.000ms", "16.667us", 1680)],
    "Self CPU time total: 10.000ms", "Self CUDA time total: 31.000ms")

CONSOLE = """\
======================================================================
WEEK 1: BASELINE PROFILING AND BOTTLENECK ANALYSIS
======================================================================

MODEL SUMMARY
======================================================================
Model Type: qwen2
Total Parameters: 494,033,920 (494.03M)
Model Size: 1,976.14 MB
======================================================================

BATCH SIZE ANALYSIS
Batch Size 1:
  Latency/sample: 25.34 ± 1.23 ms
  Throughput: 39.47 ± 1.91 samples/sec
  GPU Memory: 1,234.56 MB

Batch Size 32:
  Latency/sample: 8.76 ± 0.45 ms
  Throughput: 114.28 ± 5.86 samples/sec
  GPU Memory: 3,456.78 MB

...

FULL DATASET PERFORMANCE
Accuracy: 0.9207
Total time: 90.23 seconds
Throughput: 109.45 samples/sec

======================================================================
WEEK 1 COMPLETE!
======================================================================
"""
PRINTED = ["494033920", "1976.14", "1234.56", "3456.78", "25.34", "39.47", "8.76", "114.28", "0.9207", "90.23", "109.45"]

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 16

# Expected Outputs: the tree.
TREE = {
    "data/val_df.csv": VAL_DF, "data/label_mappings.json": LABELS,
    "results/baseline_metrics.json": BASELINE, "results/detailed_metrics.csv": DETAILED,
    "results/baseline_summary_report.txt": CONSOLE,
    "results/plots/batch_size_comparison.png": PNG, "results/plots/metrics_heatmap.png": PNG,
    "results/profiler_traces/trace.json": trace(), "results/profiler_traces/stacks.txt": STACKS,
}


def worse(files):
    """Week 2, gone wrong."""
    change = {"results/baseline_metrics.json": worse_json, "results/detailed_metrics.csv": worse_csv,
              "results/profiler_traces/trace.json": lambda text: trace(2)}
    return {name: change.get(name, lambda text: text)(text) for name, text in files.items()}


CASES = [
    Case("config.yaml", CONFIG, None, ["3", "10", "512"], but={"metrics", "diagnose", "report"}),
    Case("label_mappings.json", LABELS, None, ["3"], but={"metrics", "diagnose", "report"}),
    Case("val_df.csv", VAL_DF, None, ["2"], but={"metrics", "diagnose", "report"}),
    Case("baseline_metrics.json", BASELINE, worse_json(BASELINE), but={"metrics", "diagnose"},
         also={"batch", "fit"}),
    Case("detailed_metrics.csv", DETAILED, worse_csv(DETAILED), but={"metrics", "diagnose"},
         also={"batch"}),
    Case("stacks.txt", STACKS, STACKS.replace("28.000ms", "48.000ms"),
         ["1.2", "9.5", "31", "4.5", "4.7", "28", "1680", "10"], but={"metrics"}, also={"top"},
         gated=False),
    Case("baseline_summary_report.txt", CONSOLE, CONSOLE.replace("0.9207", "0.7207").replace(
        "109.45", "59.45"), PRINTED, but={"diagnose"},
         gated=False),
    Case("week1/", TREE, worse(TREE)),
]
