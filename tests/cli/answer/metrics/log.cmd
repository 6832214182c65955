# a log that leaks, with a value that is none and a run that went on from step 60
awk 'BEGIN {
	for (i = 0; i < 200; i++) {
		step = i < 120 ? i : i - 60
		loss = i == 30 ? "NaN" : sprintf("%.4f", 2 / (1 + step / 20) + (i * 7919 % 13) / 1000)
		printf "{\"step\": %d, \"loss\": %s, \"grad_norm\": %.3f, \"step_time\": %.4f, ", step,
			loss, 1 + (i * 104729 % 17) / 100, 0.425 + (i * 31 % 7) / 1000
		printf "\"num_tokens\": %d, \"allocated_gb\": %.5f}\n", (step + 1) * 5120,
			10.5 + step * 0.001 + (i * 13 % 5) / 10000
	}
}' >run.jsonl
"$TRACEQ" metrics run.jsonl --capacity 16GiB
"$TRACEQ" metrics run.jsonl --key 'loss|grad' --window 20 --format csv -q | cut -d, -f1-14 | head -n 8
"$TRACEQ" metrics run.jsonl --key '^loss$' --steps 20-59 --ddof 0 --x tokens --points 3 --json -q |
	grep -E '"key": "loss"'
