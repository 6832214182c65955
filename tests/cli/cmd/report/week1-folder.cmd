# a results folder of the week-1 document without a trace, with the figures of its example output (S4-A1, S4-A4)
mkdir -p results/profiler_traces configs
cat >results/baseline_metrics.json <<'END'
{"model_info": {"model_type": "qwen2", "total_params": 494033920, "total_size_mb": 1976.14, "total_params_millions": 494.03},
 "dataset_info": {"num_samples": 369475, "num_labels": 23, "sample_size_profiled": 1000},
 "batch_size_profiling": [
  {"latency_per_sample_mean": 0.02534, "latency_per_sample_std": 0.00123, "throughput_samples_per_sec_mean": 39.47,
   "throughput_samples_per_sec_std": 1.91, "gpu_mem_used_mean": 1234.56, "gpu_mem_used_std": 12.5, "batch_size": 1, "num_samples": 1000, "num_runs": 10},
  {"latency_per_sample_mean": 0.00876, "latency_per_sample_std": 0.00045, "throughput_samples_per_sec_mean": 114.28,
   "throughput_samples_per_sec_std": 5.86, "gpu_mem_used_mean": 3456.78, "gpu_mem_used_std": 10.25, "batch_size": 32, "num_samples": 1000, "num_runs": 10}],
 "full_dataset_metrics": {"batch_size": 32, "accuracy": 0.9207, "f1_macro": 0.9187, "f1_weighted": "0.9201", "latency_total": 90.23,
  "latency_per_sample": 0.00914, "throughput_samples_per_sec": 109.45, "cpu_mem_used": 12.5, "gpu_mem_used": 1234.56, "peak_gpu_mem": 3456.78}}
END
cat >results/profiler_traces/stacks.txt <<'END'
-------------------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  
                     Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg     Self CUDA    CUDA total    # of Calls  
-------------------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  
          model_inference        20.00%      20.000ms       100.00%     100.000ms      10.000ms       0.000us      80.000ms            10  
                 aten::mm        40.00%      40.000ms        40.00%      40.000ms     100.000us      60.000ms      60.000ms           400  
    ampere_sgemm_128x64_tn         0.00%       0.000us         0.00%       0.000us       0.000us      60.000ms      60.000ms           400  
               aten::mul        10.00%      10.000ms        10.00%      10.000ms     100.000us      15.000ms      15.000ms           100  
             aten::copy_        30.00%      30.000ms        30.00%      30.000ms     300.000us       5.000ms       5.000ms           100  
-------------------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  
Self CPU time total: 100.000ms
Self CUDA time total: 80.000ms
END
printf 'model:\n  name: "codefactory4791/intent-classification-qwen"\n  device: "cuda"\n  dtype: "float32"\n' >configs/config.yaml
cat >results/gpu_usage.csv <<'END'
timestamp, name, utilization.gpu [%], utilization.memory [%], memory.used [MiB], memory.free [MiB], temperature.gpu
2025/11/30 12:00:00.000, NVIDIA A100-SXM4-40GB, 87 %, 45 %, 3456 MiB, 37000 MiB, 61
2025/11/30 12:00:01.000, NVIDIA A100-SXM4-40GB, 89 %, 45 %, 3457 MiB, 36999 MiB, 61
END
"$TRACEQ" report --style week1 . | sed -n '/^MODEL/,/^DATASET/p;/^SUCCESS/,$p'
"$TRACEQ" report --style week1 . --format seed
echo "== the full run alone"
sed -i '/"batch_size_profiling"/,/num_runs": 10}\],/d' results/baseline_metrics.json
"$TRACEQ" report --style week1 results/baseline_metrics.json | sed -n '/^SUCCESS/,/^TARGETS/p'
