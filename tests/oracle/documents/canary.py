"""What "Profiler Deep Dive" (rlhf-canary, notebook 02) configures, and what its canary writes."""
import json

from documents.case import Case, worse_json
from documents.guide import trace

DPO_PROFILED = """
name: dpo_profiled
description: DPO training with profiler enabled for performance analysis

# Model configuration
model_name: EleutherAI/pythia-70m
use_peft: true
lora_r: 16
lora_alpha: 32
lora_dropout: 0.05

# Training configuration
training_type: dpo
max_steps: 80
batch_size: 2
gradient_accumulation_steps: 4
learning_rate: 5.0e-5
max_length: 256
warmup_steps: 10

# DPO-specific
beta: 0.1
max_prompt_length: 64

# Dataset configuration
dataset_name: Anthropic/hh-rlhf
dataset_split: train
dataset_size: 512
seed: 42

# Output configuration
output_dir: ./profiler_output
metrics_warmup_steps: 10

# PROFILER ENABLED!
profiler:
  enabled: true
  start_step: 50      # Start after warmup
  num_steps: 20       # Profile 20 steps
  output_dir: ./profiler_traces
  record_shapes: true
  profile_memory: true
  with_stack: false   # Keep false for speed
"""
DPO_SLOW = DPO_PROFILED.replace("name: dpo_profiled", "name: dpo_slow_profiled").replace(
    "batch_size: 2", "batch_size: 1              # Reduced from 2!").replace(
    "gradient_accumulation_steps: 4", "gradient_accumulation_steps: 8  # Increased to compensate")

PROFILER_BLOCK = """profiler:
  enabled: true            # Turn on profiling
  start_step: 50           # Start capturing at step 50 (skip warmup)
  num_steps: 20            # Capture 20 steps
  output_dir: ./profiler   # Where to save traces
  record_shapes: true      # Record tensor shapes
  profile_memory: true     # Track memory allocations
  with_stack: false        # Stack traces (slow, disable for speed)
"""

CUDA_OPS = [("aten::mm", 812.375, 3360), ("aten::bmm", 301.5, 1680),
            ("aten::_scaled_dot_product_flash_attention_for_a_long_name", 150.25, 560),
            ("aten::copy_", 120.125, 900), ("Memcpy HtoD (Pageable -> Device)", 33.0625, 80)]
CPU_OPS = [("aten::to", 700.5, 4000), ("aten::_to_copy", 650.25, 4000),
           ("Optimizer.step#AdamW.step", 410.0, 20), ("cudaLaunchKernel", 300.5, 90000)]


def metrics(step=0.8123, rate=5042.5, mem=6144.5, cuda=1450.5, cpu=3100.25, batch=2, accumulation=4):
    scale = cuda / 1450.5
    return json.dumps({
        "run_id": f"run_{batch}", "timestamp": "2025-11-30T02:14:07", "duration_seconds": 95.5,
        "env": {"python_version": "3.11.9", "torch_version": "2.5.1", "cuda_available": True,
                "cuda_version": "12.4", "gpu_name": "Tesla T4", "gpu_count": 1,
                "gpu_memory_gb": 14.75},
        "config": {"model_name": "EleutherAI/pythia-70m", "max_steps": 80, "batch_size": batch,
                   "gradient_accumulation_steps": accumulation, "max_length": 256,
                   "learning_rate": 5e-05, "beta": 0.1, "dataset_name": "Anthropic/hh-rlhf",
                   "dataset_size": 512, "seed": 42},
        "perf": {"step_time": {"count": 70, "mean": step, "median": step, "p50": step,
                               "p95": step * 1.1, "p99": step * 1.2, "min": step * 0.9,
                               "max": step * 1.25, "std": step * 0.02},
                 "approx_tokens_per_sec": rate, "max_mem_mb": mem, "gpu_utilization_avg": None,
                 "dataloader_wait_pct": 2.5},
        "stability": {"nan_steps": 0, "inf_steps": 0, "loss_values": [0.693, 0.65, 0.6, 0.55],
                      "grad_norm_values": [1.5, 1.25, 1.0, 0.75], "final_loss": 0.55,
                      "loss_diverged": False},
        "profiler": {
            "trace_path": "profiler_traces/run_2/trace.json", "cuda_time_total_ms": cuda,
            "cpu_time_total_ms": cpu, "self_cuda_time_total_ms": cuda * 0.96,
            "top_cuda_ops": [{"name": n, "self_cuda_time_ms": v * scale, "count": c}
                             for n, v, c in CUDA_OPS],
            "top_cpu_ops": [{"name": n, "self_cpu_time_ms": v, "count": c} for n, v, c in CPU_OPS]},
        "status": "completed"}, indent=2)


BASE = metrics()
SLOW = metrics(step=1.4567, rate=2811.25, mem=4096.25, cuda=1600.25, cpu=5300.75, batch=1,
               accumulation=8)

RUN = {"profiler_output/run1/run_2/metrics.json": BASE,
       "profiler_traces/run_2/trace.json": trace(), "configs/dpo_profiled.yaml": DPO_PROFILED}
SLOW_RUN = {"profiler_output/slow_run/run_1/metrics.json": SLOW,
            "profiler_traces_slow/run_1/trace.json": trace(2),
            "configs/dpo_slow_profiled.yaml": DPO_SLOW}

YAML = ["16", "32", "0.05", "80", "2", "4", "5e-5", "256", "10", "0.1", "64", "512", "42", "50", "20"]

CASES = [
    Case("dpo_profiled.yaml", DPO_PROFILED, None, YAML, but={"metrics", "diagnose", "report"}),
    Case("profiler.yaml", PROFILER_BLOCK, None, ["50", "20"], but={"metrics", "diagnose", "report"}),
    Case("metrics.json", BASE, SLOW),
    Case("worse.json", BASE, worse_json(BASE)),
    Case("run/", RUN, SLOW_RUN),
]
