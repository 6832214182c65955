# Two runs by what their own scripts wrote, without a trace: figures are compared, and what changed is said.
profiling() { # seconds an iteration; the document's profiling JSON, literally (S0-A1)
	cat <<M
{
  "timestamp": "2025-11-30T12:00:00",
  "device": 0,
  "memory": {
    "peak_allocated_gb": 15.2,
    "mean_allocated_gb": 12.8,
    "baseline_gb": 10.5
  },
  "timing": {
    "iteration": {
      "mean_sec": $1,
      "count": 1000
    }
  },
  "throughput": {
    "samples_per_sec": 9.4,
    "tokens_per_sec": 12032
  }
}
M
}
both() { # title; a and b are there
	echo "== $1"
	"$TRACEQ" diff a b -q -n 4 --wide | sed '/^ *runs  ranks/,/^$/d'
	"$TRACEQ" gate a b -q | head -1
	rm -f a b
}
profiling 0.425 >a && profiling 0.9 >b
both "profiling JSON"
# the document's other export has no count
echo '{"memory": {"peak_allocated_gb": 15.2, "mean_allocated_gb": 12.8}, "timing": {"iteration": {"mean_sec": 0.425}}, "throughput": {"samples_per_sec": 9.4}}' >a
sed 's/9.4/6.2/' a >b
both "its short form"
gpu() { # samples/s at batch 8, required GB
	cat <<M
{"timestamp": "40_profile_gpu.py", "device": "0",
 "gpu_info": {"available": true, "device_count": 1, "devices": [{"index": 0, "name": "Tesla T4", "total_memory_gb": 15.8, "compute_capability": "7.5"}]},
 "memory_profile": {"num_measurements": 1, "mean_allocated_gb": 1.0, "peak_allocated_gb": 1.5, "mean_reserved_gb": 2.0, "peak_reserved_gb": 2.0, "baseline_gb": 0.5, "device": "cuda:0"},
 "model_estimates": {"DeepSeek-Math-7B": {"num_params": 7000000000, "inference_gb": 13.0, "training_gb": 78.2}},
 "throughput_benchmark": {"batch_8": {"batch_size": 8, "samples_per_sec": $1, "memory_gb": 9.5}},
 "compatibility": {"DeepSeek-Math-7B (inference)": {"required_gb": $2, "fits": true}}}
M
}
gpu 20.5 14.0 >a && gpu 12.5 14.0 >b
both "GPU profile (S0-A7)"
tracker() { # mean loss, mean score
	cat <<M
{
  "experiment_name": "verifier_training",
  "timestamp": "2025-11-30T12:00:00",
  "metric_summaries": {
    "loss": {
      "mean": $1,
      "std": 0.089,
      "min": 0.123,
      "max": 0.789
    }
  },
  "score_distribution": {
    "mean_score": $2,
    "score_counts": {"0.0": 45, "0.5": 123, "1.0": 832}
  }
}
M
}
tracker 0.342 0.78 >a && tracker 0.642 0.58 >b
both "metrics JSON (S0-A4, S0-A5)"
echo '{"stage_times": {"forward": [0.010, 0.011, 0.010, 0.011, 0.010], "backward": [0.020, 0.021, 0.020, 0.021, 0.020]}, "average_times": {"forward": 0.0104, "backward": 0.0204}, "total_steps": 5}' >a
sed 's/"backward": \[[^]]*\]/"backward": [0.040, 0.041, 0.040, 0.041, 0.040]/; s/0.0204/0.0404/' a >b
both "stage times (S2-A4)"
ops() {
	printf 'Name,Self CPU Time (μs),CPU Time (μs),Self CUDA Time (μs),CUDA Time (μs),Count\n'
	printf '"aten::mm",100.0,120.0,%s,%s,1\n"aten::mm",100.0,120.0,%s,%s,1\n' "$1" "$1" "$1" "$1"
	printf '"lambda (a, b)",10.0,10.0,0.0,0.0,1\n"aten::add",0.1,0.1,%s,%s,1\n' "$2" "$2"
}
ops 900.5 1.0 >a && ops 1800.5 2.0 >b
both "op CSV, one row an event (S2-A5): small ones do not count"
echo '{"step_count": 8, "peak_memory_usage": {"cpu": 1000000, "cuda": 2000000000}, "timestamp": "2025-11-30T12:00:00"}' >a
sed 's/2000000000/3000000000/' a >b
both "memory statistics (S2-A6)"
smi() {
	echo 'timestamp, name, utilization.gpu [%], utilization.memory [%], memory.used [MiB], memory.free [MiB], temperature.gpu'
	for i in 0 1 2 3 4 5 6 7 8 9; do
		echo "2025/11/30 12:00:0$i.123, NVIDIA A100, $(($1 + i % 3)) %, 45 %, 30123 MiB, 10000 MiB, 61"
	done
}
smi 87 >a && smi 41 >b
both "nvidia-smi (S1-A3)"
table() {
	cat <<M
----------------------  ------------  ------------  ------------  ------------
                  Name    Self CPU %      Self CPU   CPU total %  # of Calls
----------------------  ------------  ------------  ------------  ------------
          aten::linear        60.00%      $1ms        80.00%           100
             aten::add        40.00%       4.000ms        20.00%            10
----------------------  ------------  ------------  ------------  ------------
Self CPU time total: 10.000ms
M
}
table 6.000 >a && table 9.500 >b
both "key_averages (S1-A2)"
config() {
	echo '{"batch_size": '$1', "learning_rate": 0.001, "num_epochs": 1, "num_steps_per_epoch": 40, "input_size": 8, "hidden_size": 16, "output_size": 2, "seed": 1, "device": "cpu", "profiler_enabled": true}'
}
log() {
	awk -v t="$1" 'BEGIN { for (i = 0; i < 40; i++) printf "{\"step\": %d, \"phase\": \"train\", \"loss\": 0.5, \"time_ms\": %.1f}\n", i, t + i % 3 }'
}
echo "== settings beside a log (S2-A1)"
mkdir one two && config 4 >one/config.json && config 2 >two/config.json
log 100 >one/metrics.jsonl && log 150 >two/metrics.jsonl
"$TRACEQ" diff one two -q | sed -n '1,/^$/p;/^what is not/,/^$/p'
"$TRACEQ" diff one two -q --format seed | sed -n '/^DIAG/,$p'
"$TRACEQ" diff one/config.json two/config.json
echo "== the profiled window (S3-A3)"
printf 'name: x\ntraining_type: dpo\nprofiler:\n  enabled: true\n  start_step: 50\n  num_steps: 20\n' >one/canary.yaml
"$FIXTURES" healthy --steps 8 >one/trace.json && cp one/trace.json two
"$TRACEQ" diff one two 2>&1 | tr -s ' \n' ' ' | grep -oE 'base, run[^;]* has [0-9]+'
echo "== a device on one side only"
"$FIXTURES" cpu-only --steps 8 >cpu.json
"$TRACEQ" diff two/trace.json cpu.json 2>&1 | tr -s ' \n' ' ' | grep -oE '(base has device work|[0-9]+ figures are not)[^;]*'
