# Summaries without a trace: figures with their spread, the environment, the configuration; numbers
# that are written differently are the same.
summary() {
	cat <<END
{"run_id": "$1", "env": {"torch_version": "$2", "cuda_version": "12.4", "gpu_name": "$3", "gpu_count": 1},
 "config": {"model_name": "gpt2", "batch_size": $4, "learning_rate": $5, "seed": 42},
 "perf": {"step_time": {"count": 90, "mean": $6, "std": 0.021}, "approx_tokens_per_sec": $7, "max_mem_mb": 2311.5},
 "stability": {"nan_steps": 0, "inf_steps": 0, "final_loss": 0.66, "loss_diverged": false},
 "profiler": {"cuda_time_total_ms": 812.33, "cpu_time_total_ms": 1702.51, "top_cuda_ops": []}, "status": "completed"}
END
}
mkdir baseline slow other
summary base 2.7.1 'Tesla T4' 2 1e-5 0.5012 4086.2 >baseline/metrics.json
summary slow 2.8.0 'Tesla T4' 1 1.0e-05 0.8031 2550.1 >slow/metrics.json
summary other 2.8.0 'Tesla V100' 1 1e-5 0.8031 2550.1 >other/metrics.json
"$TRACEQ" diff baseline slow --exit-code
echo "exit $?"
echo "== as the documents have it"
"$TRACEQ" diff baseline slow --format seed -q
echo "== another GPU"
"$TRACEQ" diff baseline other 2>&1
echo "exit $?"
