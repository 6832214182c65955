# Each night passes alone, and moves the base: what crept is held against the level the store began on.
line() { # day, ratio of the step time
	awk -v i="$1" -v ratio="$2" 'BEGIN {
		noise = 0; for (k = 0; k < 12; k++) noise += (i * 7919 + k * 104729 + i * i * k * 31) % 1009 / 1009
		t = 0.5 * ratio * (1 + 0.005 * (noise - 6))
		printf "{\"schema\": \"traceq.baseline/1\", \"time\": %d, \"label\": \"night%d\", \"commit\": \"c%d\", \"env\": {\"gpu\": \"Tesla T4\"}, \"metrics\": {\"step_time\": {\"value\": %.0f, \"unit\": \"ns\", \"better\": \"lower\", \"count\": 200}, \"tokens_per_sec\": {\"value\": %.2f, \"better\": \"higher\", \"count\": 1}}}\n",
			1767225600 + 86400 * i, i, i, t * 1e9, 512 / t
	}'
}
for i in $(seq 20); do line "$i" 1; done >level.jsonl
(cat level.jsonl; for i in $(seq 21 40); do line "$i" "$(awk -v i="$i" 'BEGIN { print 1 + 0.0016 * (i - 20) }')"; done) >creep.jsonl
(cat level.jsonl; for i in $(seq 21 40); do line "$i" 1.016; done) >step.jsonl
new() { # ratio
	mkdir -p new
	cat >new/metrics.json <<M
{"run_id": "r", "timestamp": "2026-01-01T00:00:00", "duration_seconds": 60.0,
 "env": {"gpu_name": "Tesla T4", "gpu_count": 1, "cuda_available": true},
 "config": {"model_name": "m", "max_steps": 100, "batch_size": 2},
 "perf": {"step_time": {"count": 200, "mean": $1, "median": $1, "p50": $1, "p95": $1, "p99": $1, "min": $1, "max": $1, "std": 0.01}, "approx_tokens_per_sec": $(awk -v t="$1" 'BEGIN { print 512 / t }')},
 "stability": {"nan_steps": 0, "inf_steps": 0, "loss_values": [], "loss_diverged": false}, "status": "completed"}
M
}
run() { "$TRACEQ" gate "$@" -q; echo "exit $?"; }
# The store's noise lowers the tolerance of the tier: 3 % of 0.5 % noise.
new 0.515 && run level.jsonl new
new 0.501 && run level.jsonl new
# What is given is not lowered, and not raised.
new 0.515 && run level.jsonl new --check step_time=5% | head -4
run level.jsonl new --min-change 5% | head -4
new 0.509 && run creep.jsonl new
run step.jsonl new --md m.md
sed -n 3,8p m.md
run creep.jsonl new --check step_time=4% | head -4
# Accepted once, the level is the new one.
sed '40s/"env"/"accepted": "the new driver", "env"/' creep.jsonl >accepted.jsonl
run accepted.jsonl new | head -4
