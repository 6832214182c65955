"""The documents' own prints, as their code has them: each function is theirs, with `out` for print,
and says which command is to write the same lines (--format seed)."""
import csv
import io
import json

from documents import canary, phase_b, profiling, week1
from documents.guide import trace

MODELS = [("DeepSeek-Math-7B", 7_000_000_000), ("DeepSeek-Math-70B", 70_000_000_000),
          ("DeepSeek-V3 (active)", 37_000_000_000), ("DeepSeek-V3 (total)", 236_000_000_000)]
REQUIRED = [("DeepSeek-Math-7B (inference)", 14), ("DeepSeek-Math-7B (training)", 60),
            ("DeepSeek-Math-70B (inference)", 140), ("DeepSeek-V3 active (inference)", 74),
            ("DeepSeek-V3 active (training)", 296)]


class Printed:
    """print(), into lines."""

    def __init__(self):
        self.lines = []

    def __call__(self, text=""):
        self.lines += text.split("\n")


# ---- Profiling & Metrics: 40_profile_gpu.py ----

def profile_gpu_memory(out, profile):
    memory, device = profile["memory_profile"], profile["gpu_info"]["devices"][0]
    out(f"\n{'='*60}")
    out("GPU Memory Profiling")
    out(f"{'='*60}\n")
    baseline = {"allocated_gb": memory["baseline_gb"], "reserved_gb": memory["mean_reserved_gb"],
                "max_allocated_gb": memory["peak_allocated_gb"]}
    out("Baseline Memory:")
    out(f"  Allocated: {baseline['allocated_gb']:.2f} GB")
    out(f"  Reserved:  {baseline['reserved_gb']:.2f} GB")
    out(f"  Peak:      {baseline['max_allocated_gb']:.2f} GB")
    total_memory = device["total_memory_gb"]
    available = total_memory - baseline["allocated_gb"]
    out(f"\nTotal GPU Memory: {total_memory:.2f} GB")
    out(f"Available:        {available:.2f} GB")
    out(f"Utilization:      {(baseline['allocated_gb']/total_memory*100):.1f}%")


def estimate_model_requirements(out, models):
    out(f"\n{'='*60}")
    out("Model Memory Requirements")
    out(f"{'='*60}\n")
    out(f"{'Model':<25} {'Inference (fp16)':<20} {'Training (fp16+Adam)':<25}")
    out("-" * 70)
    for model_name, num_params in models:
        inference_mem = num_params * 2 / 1024 ** 3
        training_mem = (num_params * 2 + num_params * 2 + num_params * 8) / 1024 ** 3
        out(f"{model_name:<25} {inference_mem:>6.1f} GB          {training_mem:>8.1f} GB")


def benchmark_throughput(out, benchmark):
    out(f"{'='*60}")
    out("Throughput Benchmarking (Mock)")
    out(f"{'='*60}\n")
    out("Note: This is a mock benchmark. For real benchmarking,")
    out("      run with actual model loaded.\n")
    out(f"{'Batch Size':<15} {'Samples/sec':<15} {'Memory (GB)':<15}")
    out("-" * 45)
    for row in benchmark.values():
        batch_size, samples_per_sec, memory_gb = row.values()
        out(f"{batch_size:<15} {samples_per_sec:<15.2f} {memory_gb:<15.2f}")


def check_model_compatibility(out, models, total_memory):
    out(f"\n{'='*60}")
    out("Model Compatibility Check")
    out(f"{'='*60}\n")
    out(f"Available GPU Memory: {total_memory:.2f} GB\n")
    out(f"{'Model':<35} {'Required':<15} {'Status':<15}")
    out("-" * 65)
    for model_name, required_gb in models:
        fits = required_gb <= total_memory
        status = "✓ Fits" if fits else "✗ Too large"
        out(f"{model_name:<35} {required_gb:>6.1f} GB      {status:<15}")


def gpu_tables(total_memory):
    out = Printed()
    estimate_model_requirements(out, MODELS)
    check_model_compatibility(out, REQUIRED, total_memory)
    return out.lines


def gpu_profile():
    profile, out = json.loads(profiling.GPU_PROFILE), Printed()
    profile_gpu_memory(out, profile)
    estimate_model_requirements(
        out, [(n, m["num_params"]) for n, m in profile["model_estimates"].items()])
    check_model_compatibility(
        out, [(n, c["required_gb"]) for n, c in profile["compatibility"].items()], 16.0)
    return out.lines


def throughput():
    out = Printed()
    benchmark_throughput(out, json.loads(profiling.GPU_PROFILE)["throughput_benchmark"])
    return out.lines


# ---- Profiler Deep Dive ----

def summary(out, profiler_summary):
    out("\n" + "="*60)
    out("PROFILER SUMMARY")
    out("="*60)
    out(f"\nTrace file: {profiler_summary.get('trace_path', 'N/A')}")
    out(f"\nTotal CUDA time: {profiler_summary.get('cuda_time_total_ms', 0):.2f} ms")
    out(f"Total CPU time:  {profiler_summary.get('cpu_time_total_ms', 0):.2f} ms")
    out(f"Self CUDA time:  {profiler_summary.get('self_cuda_time_total_ms', 0):.2f} ms")


def top_operations(out, profiler_summary):
    out("\n" + "="*60)
    out("TOP 10 CUDA OPERATIONS (GPU time)")
    out("="*60)
    out(f"{'Operation':<40} {'Time (ms)':>10} {'Count':>8}")
    out("-"*60)
    for op in profiler_summary.get('top_cuda_ops', [])[:10]:
        name = op['name'][:38] if len(op['name']) > 38 else op['name']
        out(f"{name:<40} {op['self_cuda_time_ms']:>10.2f} {op['count']:>8}")
    out("\n" + "="*60)
    out("TOP 10 CPU OPERATIONS (CPU time)")
    out("="*60)
    out(f"{'Operation':<40} {'Time (ms)':>10} {'Count':>8}")
    out("-"*60)
    for op in profiler_summary.get('top_cpu_ops', [])[:10]:
        name = op['name'][:38] if len(op['name']) > 38 else op['name']
        out(f"{name:<40} {op['self_cpu_time_ms']:>10.2f} {op['count']:>8}")


def quick_diagnosis(out, profiler_summary):
    cuda_time = profiler_summary.get('cuda_time_total_ms', 0)
    cpu_time = profiler_summary.get('cpu_time_total_ms', 0)
    out("\n" + "="*60)
    out("QUICK DIAGNOSIS")
    out("="*60)
    if cpu_time > 0 and cuda_time > 0:
        ratio = cpu_time / cuda_time
        if ratio > 2.0:
            out(f"\nWARNING: CPU time ({cpu_time:.0f}ms) >> CUDA time ({cuda_time:.0f}ms)")
            out("This suggests a CPU bottleneck (dataloader, tokenization, or Python overhead)")
        elif ratio < 0.5:
            out(f"\nGOOD: CUDA time ({cuda_time:.0f}ms) >> CPU time ({cpu_time:.0f}ms)")
            out("GPU is well-utilized, training is compute-bound (optimal)")
        else:
            out(f"\nBALANCED: CPU time ({cpu_time:.0f}ms) ~ CUDA time ({cuda_time:.0f}ms)")
            out("Mixed workload - both CPU and GPU contribute significantly")
    elif cuda_time == 0 and cpu_time > 0:
        out(f"\nINFO: No CUDA kernel times recorded (CPU time: {cpu_time:.0f}ms)")
        out("This can happen when CUPTI profiling is unavailable (common on some cloud GPUs)")
        out("CPU-side CUDA calls were still captured - see CPU operations above")
    top_cuda = profiler_summary.get('top_cuda_ops', [])
    if top_cuda:
        copy_ops = [op for op in top_cuda if 'copy' in op['name'].lower()]
        total_copy_time = sum(op['self_cuda_time_ms'] for op in copy_ops)
        total_cuda_time = sum(op['self_cuda_time_ms'] for op in top_cuda)
        if total_cuda_time == 0:
            out("\nNo CUDA kernel times recorded")
            out("This can happen when CUPTI profiling is unavailable (common on some cloud GPUs)")
            out("CPU-side CUDA calls were still captured - see CPU operations above")
        elif total_copy_time / total_cuda_time > 0.3:
            out(f"\nWARNING: Memory copies are {total_copy_time/total_cuda_time:.0%} of CUDA time")
            out("Consider: reducing CPU<->GPU transfers, using pinned memory")
        else:
            out(f"\nMemory copy overhead: {total_copy_time/total_cuda_time:.0%} of CUDA time "
                "(acceptable)")
    out("")


def one_run(path, text, trace_path=None, trace_text=""):
    metrics, out = json.loads(text), Printed()
    out(f"Metrics file: {path}")
    if 'profiler' in metrics and metrics['profiler']:
        summary(out, metrics['profiler'])
        top_operations(out, metrics['profiler'])
        quick_diagnosis(out, metrics['profiler'])
    else:
        out("No profiler summary found in metrics")
    if trace_path:
        out(f"Trace file found: {trace_path}")
        out(f"File size: {len(trace_text.encode()) / 1024:.1f} KB")
    else:
        out("No trace file found")
    out("")
    out("Baseline metrics:")
    out(f"  Step time (mean): {metrics['perf']['step_time']['mean']:.4f}s")
    out(f"  Tokens/sec: {metrics['perf']['approx_tokens_per_sec']:.0f}")
    out(f"  Peak memory: {metrics['perf']['max_mem_mb']:.0f}MB")
    return out.lines


def comparison(base_text, slow_text):
    """Up to the DIAGNOSIS, whose reasons traceq derives."""
    baseline_metrics, slow_metrics, out = json.loads(base_text), json.loads(slow_text), Printed()
    out("="*60)
    out("COMPARISON: Baseline vs Slow Run")
    out("="*60)
    out(f"\n{'Metric':<25} {'Baseline':>15} {'Slow':>15} {'Change':>15}")
    out("-"*70)
    base_step = baseline_metrics['perf']['step_time']['mean']
    slow_step = slow_metrics['perf']['step_time']['mean']
    change = (slow_step - base_step) / base_step * 100
    out(f"{'Step time (s)':<25} {base_step:>15.4f} {slow_step:>15.4f} {change:>+14.1f}%")
    base_tps = baseline_metrics['perf']['approx_tokens_per_sec']
    slow_tps = slow_metrics['perf']['approx_tokens_per_sec']
    change = (slow_tps - base_tps) / base_tps * 100
    out(f"{'Tokens/sec':<25} {base_tps:>15.0f} {slow_tps:>15.0f} {change:>+14.1f}%")
    base_mem = baseline_metrics['perf']['max_mem_mb']
    slow_mem = slow_metrics['perf']['max_mem_mb']
    change = slow_mem - base_mem
    out(f"{'Memory (MB)':<25} {base_mem:>15.0f} {slow_mem:>15.0f} {change:>+14.0f}")
    slow_profiler, base_profiler = slow_metrics['profiler'], baseline_metrics['profiler']
    out("\n" + "="*60)
    out("PROFILER COMPARISON")
    out("="*60)
    out(f"\n{'Metric':<25} {'Baseline':>15} {'Slow':>15}")
    out("-"*55)
    base_cuda = base_profiler.get('cuda_time_total_ms', 0)
    slow_cuda = slow_profiler.get('cuda_time_total_ms', 0)
    out(f"{'CUDA time (ms)':<25} {base_cuda:>15.2f} {slow_cuda:>15.2f}")
    base_cpu = base_profiler.get('cpu_time_total_ms', 0)
    slow_cpu = slow_profiler.get('cpu_time_total_ms', 0)
    out(f"{'CPU time (ms)':<25} {base_cpu:>15.2f} {slow_cpu:>15.2f}")
    out("\n" + "="*60)
    out("DIAGNOSIS")
    out("="*60)
    return out.lines


# ---- Phase B: profiler/report.py ----

def print_summary(profiler_dir, artifacts, files):
    """Each file or None; operations of one name are one here, and a row an event there."""
    stage_data, rows, memory_data = files
    out = Printed()
    out("=" * 50)
    out("PROFILER REPORT SUMMARY")
    out("=" * 50)
    out(f"Profiler Directory: {profiler_dir}")
    out(f"Total Artifacts: {sum(artifacts.values())}/4")
    out(f"Profiling Successful: {artifacts['trace_json']}")
    if stage_data:
        out("\nStage Timing:")
        out(f"  Total Stages: {len(stage_data.get('stage_times', {}))}")
        out(f"  Total Steps: {stage_data.get('total_steps', 0)}")
        out("  Average Times:")
        for stage, time_val in stage_data["average_times"].items():
            out(f"    {stage}: {time_val:.4f}s")
    if rows:
        by_name = {}
        for row in rows:
            by_name[row["Name"]] = by_name.get(row["Name"], 0) + float(row["CPU Time (μs)"])
        out("\nOperation Statistics:")
        out(f"  Total Operations: {len(rows)}")
        out("  Top Operations by CPU Time:")
        top = sorted(by_name.items(), key=lambda x: x[1], reverse=True)[:5]
        for i, (name, cpu_time) in enumerate(top, 1):
            out(f"    {i}. {name}: {float(f'{cpu_time:.12g}')}μs")
    if memory_data:
        peak = memory_data["peak_memory_usage"]
        out("\nMemory Usage:")
        out(f"  Peak CPU Memory: {peak['cpu']} bytes")
        out(f"  Peak CUDA Memory: {peak['cuda']} bytes")
        out(f"  Steps Profiled: {memory_data['step_count']}")
    out("=" * 50)
    return out.lines


def run_folder(files, name):
    """The summary of a run's folder, whose files may lie in torch_profiler/."""
    under = {path.split("/")[-1]: text for path, text in reversed(files.items())}
    has = {key: file in under for key, file in (
        ("trace_json", "trace.json"), ("op_stats_csv", "op_stats.csv"),
        ("stage_times_json", "stage_times.json"), ("memory_stats_json", "memory_stats.json"))}
    rows = list(csv.DictReader(io.StringIO(under["op_stats.csv"]))) if has["op_stats_csv"] else None
    memory = json.loads(under["memory_stats.json"]) if has["memory_stats_json"] else None
    return print_summary(name, has, (json.loads(under["stage_times.json"]), rows, memory))


# ---- Week 1 ----

def batch_sizes(rows):
    out = Printed()
    out("BATCH SIZE ANALYSIS")
    out("-"*70)
    out(f"Tested Batch Sizes: {[row['batch_size'] for row in rows]}")
    optimal = max(rows, key=lambda row: row['throughput_samples_per_sec_mean'])
    out(f"Optimal Batch Size (highest throughput): {optimal['batch_size']}")
    for row in rows:
        out(f"\nBatch Size {row['batch_size']}:")
        out(f"  Latency/sample: {row['latency_per_sample_mean']*1000:.2f} ± "
            f"{row['latency_per_sample_std']*1000:.2f} ms")
        out(f"  Throughput: {row['throughput_samples_per_sec_mean']:.2f} ± "
            f"{row['throughput_samples_per_sec_std']:.2f} samples/sec")
        out(f"  GPU Memory: {row['gpu_mem_used_mean']:.2f} ± {row['gpu_mem_used_std']:.2f} MB")
    out("")
    return out.lines


def full_report(text):
    m, out = json.loads(text), Printed()
    model, data, full = m['model_info'], m['dataset_info'], m['full_dataset_metrics']
    out("="*70)
    out("WEEK 1: BASELINE PROFILING SUMMARY REPORT")
    out("="*70)
    out("\nMODEL INFORMATION")
    out("-"*70)
    out(f"Model: {model['model_type']}")
    out(f"Total Parameters: {model['total_params']:,} ({model['total_params_millions']:.2f}M)")
    out(f"Model Size: {model['total_size_mb']:.2f} MB")
    out("\nDATASET INFORMATION")
    out("-"*70)
    out(f"Total Samples: {data['num_samples']:,}")
    out(f"Number of Labels: {data['num_labels']}")
    out(f"Sample Size for Profiling: {data['sample_size_profiled']}")
    out("\nFULL DATASET PERFORMANCE")
    out("-"*70)
    out(f"Batch Size: {full['batch_size']}")
    out(f"Accuracy: {full['accuracy']:.4f}")
    out(f"F1-Score (Macro): {full['f1_macro']:.4f}")
    out(f"F1-Score (Weighted): {full['f1_weighted']:.4f}")
    out("\nLatency:")
    out(f"  Total: {full['latency_total']:.2f} seconds")
    out(f"  Per Sample: {full['latency_per_sample']*1000:.2f} ms")
    out(f"\nThroughput: {full['throughput_samples_per_sec']:.2f} samples/sec")
    out("\nMemory Usage:")
    out(f"  CPU: {full['cpu_mem_used']:.2f} MB")
    out(f"  GPU: {full['gpu_mem_used']:.2f} MB")
    out(f"  Peak GPU: {full['peak_gpu_mem']:.2f} MB")
    out("")
    return out.lines + batch_sizes(m['batch_size_profiling']) + ["="*70]


def changed(**profiler):
    m = json.loads(canary.BASE)
    m["profiler"].update(profiler)
    return json.dumps(m)


def without_profiler():
    return json.dumps({**json.loads(canary.BASE), "profiler": None})


GOOD = changed(cpu_time_total_ms=500.5)
BALANCED = changed(cpu_time_total_ms=1450.5)
NO_CUDA = changed(cuda_time_total_ms=0.0, self_cuda_time_total_ms=0.0, top_cuda_ops=[
    {"name": "aten::mm", "self_cuda_time_ms": 0.0, "count": 3}])
COPIES = changed(top_cuda_ops=[
    {"name": "aten::copy_", "self_cuda_time_ms": 300.25, "count": 9},
    {"name": "direct_Copy_kernel_cuda", "self_cuda_time_ms": 50.25, "count": 9},
    {"name": "aten::mm", "self_cuda_time_ms": 600.5, "count": 2}])
BARE = changed(top_cuda_ops=[], top_cpu_ops=[])
FOLDER = {"profiler_output/run1/metrics.json": canary.BASE,
          "profiler_traces/run_2/trace.json": trace()}

# what, the command, the files it is given, the lines
CASES = [
    ("models on 16 GB", ("fit", "--seed-compat"), {}, gpu_tables(16.0)),
    ("models on 80 GB", ("fit", "--seed-compat", "--gpu", "80GiB"), {}, gpu_tables(80.0)),
    ("gpu_profile.json", ("fit", "layouts/gpu_profile.json"),
     {"gpu_profile.json": profiling.GPU_PROFILE}, gpu_profile()),
    ("throughput", ("batch", "layouts/gpu_profile.json"),
     {"gpu_profile.json": profiling.GPU_PROFILE}, throughput()),
    ("run with its trace", ("metrics", "layouts/run"),
     {"run/" + name: text for name, text in FOLDER.items()},
     one_run("layouts/run/profiler_output/run1/metrics.json", canary.BASE,
             "layouts/run/profiler_traces/run_2/trace.json", trace())),
    *((name, ("metrics", f"layouts/{name}.json"), {f"{name}.json": text},
       one_run(f"layouts/{name}.json", text))
      for name, text in (("good", GOOD), ("balanced", BALANCED), ("no-cuda", NO_CUDA),
                         ("copies", COPIES), ("bare", BARE), ("slow", canary.SLOW),
                         ("off", without_profiler()))),
    *((name, ("metrics", f"layouts/{name}/runs/run_1764504000"),
       {f"{name}/" + path: text for path, text in files.items()},
       run_folder(files, f"layouts/{name}/runs/run_1764504000"))
      for name, files in (("tree", phase_b.TREE), ("working", phase_b.WORKING))),
    ("comparison", ("diff", "layouts/base.json", "layouts/slow.json"),
     {"base.json": canary.BASE, "slow.json": canary.SLOW}, comparison(canary.BASE, canary.SLOW)),
    ("comparison beside traces", ("diff", "layouts/base", "layouts/slow"),
     {**{"base/" + name: text for name, text in canary.RUN.items()},
      **{"slow/" + name: text for name, text in canary.SLOW_RUN.items()}},
     comparison(canary.BASE, canary.SLOW)),
    ("batch sizes", ("batch", "layouts/detailed_metrics.csv"),
     {"detailed_metrics.csv": week1.DETAILED}, batch_sizes(week1.ROWS)),
    ("summary report", ("report", "--style", "week1", "layouts/baseline_metrics.json"),
     {"baseline_metrics.json": week1.BASELINE}, full_report(week1.BASELINE)),
]

# Below the comparison's DIAGNOSIS the document prints these whatever happened; here the figures say.
SMALLER_BATCH = ["The slowdown comes with a smaller batch size:",
                 "- More Python/framework overhead per sample",
                 "- More dataloader calls per effective batch",
                 "Fix: Increase batch_size, use gradient accumulation wisely"]
SAME_BATCH = canary.metrics(step=1.4567, rate=2811.25, cpu=3000.0)
