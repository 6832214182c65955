# reports in the documents' own layouts: the canary's notebook (S3-A1), the GPU script (S0-A7)
mkdir -p profiler_output/run1
cat >profiler_output/run1/metrics.json <<'END'
{"run_id": "canary_1", "perf": {"step_time": {"mean": 0.8123}, "approx_tokens_per_sec": 5042.5, "max_mem_mb": 6144.5},
 "profiler": {"trace_path": "profiler_traces/canary_1/trace.json", "cuda_time_total_ms": 1250.5, "cpu_time_total_ms": 3100.25,
  "self_cuda_time_total_ms": 1200.0,
  "top_cuda_ops": [{"name": "aten::_scaled_dot_product_flash_attention_backward", "self_cuda_time_ms": 600.5, "count": 1200},
   {"name": "aten::copy_", "self_cuda_time_ms": 350.25, "count": 400}],
  "top_cpu_ops": [{"name": "aten::mm", "self_cpu_time_ms": 700, "count": 1200}]}}
END
"$TRACEQ" report profiler_output/run1 --format seed
"$TRACEQ" report profiler_output/run1 | sed -n '/^WHAT THE RUN/,/^METRICS/p'
echo "== GPU script"
cat >gpu_profile.json <<'END'
{"timestamp": "40_profile_gpu.py", "device": 0,
 "gpu_info": {"available": true, "device_count": 1, "devices": [{"index": 0, "name": "Tesla T4", "total_memory_gb": 16.0, "compute_capability": "7.5"}]},
 "memory_profile": {"num_measurements": 1, "mean_allocated_gb": 0.5, "peak_allocated_gb": 0.75, "mean_reserved_gb": 1.0, "peak_reserved_gb": 1.0, "baseline_gb": 0.5, "device": "cuda:0"},
 "model_estimates": {"DeepSeek-Math-7B": {"num_params": 7000000000, "inference_gb": 13.03851604461670, "training_gb": 78.231096267700195},
  "DeepSeek-V3 (active)": {"num_params": 37000000000, "inference_gb": 68.91787052154541, "training_gb": 413.50722312927246}},
 "throughput_benchmark": {"batch_1": {"batch_size": 1, "samples_per_sec": 10.0, "memory_gb": 7.0}, "batch_8": {"batch_size": 8, "samples_per_sec": 1.25, "memory_gb": 21.0}},
 "compatibility": {"DeepSeek-Math-7B (inference)": {"required_gb": 14, "fits": true}, "DeepSeek-Math-7B (training)": {"required_gb": 60, "fits": false}}}
END
"$TRACEQ" report gpu_profile.json --format seed -q
echo "== nothing of theirs"
"$FIXTURES" artifact folded >stacks.txt
"$TRACEQ" report stacks.txt --format seed
