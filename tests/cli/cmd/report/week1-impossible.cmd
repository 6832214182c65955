# memory that the sweep's peaks leave for the model and that is less than its weights: not ok (S4-Q4)
cat >baseline_metrics.json <<'X'
{"model_info": {"model_type": "qwen2", "total_params": 494033920, "total_size_mb": 1976.14},
 "dataset_info": {"num_samples": 369475, "num_labels": 23},
 "batch_size_profiling": [
  {"latency_per_sample_mean": 0.02534, "throughput_samples_per_sec_mean": 39.47, "peak_gpu_mem_mean": 1400, "batch_size": 1},
  {"latency_per_sample_mean": 0.00876, "throughput_samples_per_sec_mean": 114.28, "peak_gpu_mem_mean": 1750, "batch_size": 8},
  {"latency_per_sample_mean": 0.00850, "throughput_samples_per_sec_mean": 117.64, "peak_gpu_mem_mean": 2950, "batch_size": 32}],
 "full_dataset_metrics": {"batch_size": 32, "accuracy": 0.9207, "latency_per_sample": 0.00914}}
X
"$TRACEQ" report --style week1 baseline_metrics.json | grep -A2 'model size in GPU'
sed -i 's/1400/2400/; s/1750/2750/; s/2950/3950/' baseline_metrics.json
"$TRACEQ" report --style week1 baseline_metrics.json | grep -A2 'model size in GPU'
