# "Overall mean loss: 0.5, last 100 steps mean: 0.2": both stand side by side; a leak in the
# documents' words, memory near what the GPU has, steps that get slower.
awk 'BEGIN { for (s = 0; s < 400; s++) {
	loss = s < 300 ? 0.6 : 0.2
	printf "{\"step\": %d, \"loss\": %.3f, \"step_time\": %.3f, \"allocated_gb\": %.4f}\n", s,
		loss + 0.001 * (s % 7), 0.25 * (s < 200 ? 1 : 1.78) + 0.001 * (s % 5), 10.5 + (s > 2 ? 5.1 : 0) } }' >run.jsonl
"$TRACEQ" metrics run.jsonl -q --capacity 16GiB
"$TRACEQ" explain D19 | head -n 3
