# A week-1 run beside what its guide expects of an A100, and its targets.
run() { # latency and throughput at batch size 32, peak, accuracy, whole throughput
	cat <<X
{"model_info": {"model_type": "qwen2", "total_params": 494033920, "total_size_mb": 1976.14, "total_params_millions": 494.03},
 "dataset_info": {"num_samples": 369475, "num_labels": 23, "sample_size_profiled": 1000},
 "batch_size_profiling": [
  {"latency_per_sample_mean": 0.02534, "latency_per_sample_std": 0.00123, "throughput_samples_per_sec_mean": 39.47,
   "gpu_mem_used_mean": 1234.56, "peak_gpu_mem_mean": 1300.0, "batch_size": 1, "num_samples": 100, "num_runs": 10},
  {"latency_per_sample_mean": $1, "latency_per_sample_std": 0.00045, "throughput_samples_per_sec_mean": $2,
   "gpu_mem_used_mean": 3456.78, "peak_gpu_mem_mean": $3, "batch_size": 32, "num_samples": 100, "num_runs": 10}],
 "full_dataset_metrics": {"batch_size": 32, "accuracy": $4, "f1_macro": 0.91, "f1_weighted": 0.92, "latency_total": 90.23,
  "latency_per_sample": $1, "throughput_samples_per_sec": $5}}
X
}
run 0.012 83.3 3600.0 0.9207 109.45 >baseline_metrics.json
"$TRACEQ" metrics baseline_metrics.json -q
"$TRACEQ" diagnose baseline_metrics.json -q
run 0.080 12.5 7000.0 0.85 12.5 >baseline_metrics.json
"$TRACEQ" metrics baseline_metrics.json -q | sed -n '/expects/,$p'
"$TRACEQ" diagnose baseline_metrics.json -q
