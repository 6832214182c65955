# What is no trace: rlhf-canary's metrics.json, a training log, both beside a trace.
metrics() { # step seconds, tokens/s, MiB, NaN steps, final loss, count, diverged
	cat <<M
{"run_id": "r", "timestamp": "2026-01-01T00:00:00", "duration_seconds": 60.0,
 "env": {"torch_version": "2.7.1", "gpu_name": "Tesla T4", "gpu_count": 1, "cuda_available": true},
 "config": {"model_name": "m", "max_steps": 100, "batch_size": 2},
 "perf": {"step_time": {"count": $6, "mean": $1, "median": $1, "p50": $1, "p95": $1, "p99": $1, "min": $1, "max": $1, "std": 0.01},
  "approx_tokens_per_sec": $2, "max_mem_mb": $3, "gpu_utilization_avg": null, "dataloader_wait_pct": null},
 "stability": {"nan_steps": $4, "inf_steps": 0, "loss_values": [$(for i in $(seq 60); do printf '%s, ' "$5"; done)$5], "grad_norm_values": [], "final_loss": $5, "loss_diverged": $7},
 "profiler": null, "status": "completed"}
M
}
mkdir base new
metrics 0.500 1000 4000 0 0.5 90 false >base/metrics.json
metrics 0.580 870 4600 3 0.9 90 true >new/metrics.json
"$TRACEQ" gate base new
echo "exit $?"
"$TRACEQ" gate base base -q --verbose
echo "exit $?"
"$TRACEQ" gate base/metrics.json new/metrics.json --gate-on estimate --tier nightly -q | head -1
for side in base new; do
	awk -v slow="$([ $side = new ] && echo 1.2 || echo 1)" 'BEGIN {
		for (i = 0; i < 200; i++)
			printf "{\"step\": %d, \"loss\": %.4f, \"step_time\": %.5f, \"tokens_per_second\": %.1f}\n", i,
				1 / (1 + i * 0.01), (0.4 + (i * 7919 % 101) / 10000) * slow, 8192 / (0.4 + (i * 7919 % 101) / 10000) / slow
	}' >$side.jsonl
done
"$TRACEQ" gate base.jsonl new.jsonl
echo "exit $?"
# The loss, by its check.
"$TRACEQ" gate base.jsonl new.jsonl --check loss_final=1% -q | grep -E 'gate|loss'
