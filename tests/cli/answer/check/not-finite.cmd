# Figures that are NaN or infinite: whole as a file, and still to be looked at.
cat >trainer_state.json <<'X'
{"epoch": 1.0, "global_step": 3, "log_history": [{"loss": 0.9, "step": 1}, {"loss": NaN, "step": 2}, {"loss": Infinity, "step": 3}]}
X
cat >baseline_metrics.json <<'X'
{"model_info": {"model_type": "qwen2", "total_params": 494033920, "total_size_mb": 1976.14},
 "dataset_info": {"num_samples": 369475, "num_labels": 23},
 "full_dataset_metrics": {"batch_size": 32, "accuracy": NaN, "latency_per_sample": 0.00914}}
X
for f in trainer_state baseline_metrics; do
	"$TRACEQ" check --wide $f.json
	echo "exit $?"
done
