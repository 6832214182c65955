# What creeps is held against the first level, or against the runs that are pinned; prune keeps both.
awk 'BEGIN {
	for (i = 1; i <= 60; i++) {
		noise = 0; for (k = 0; k < 12; k++) noise += (i * 7919 + k * 104729 + i * i * k * 31) % 1009 / 1009
		printf "{\"schema\": \"traceq.baseline/1\", \"time\": %d, \"label\": \"night%d\", \"commit\": \"c%d\", \"env\": {}, \"metrics\": {\"step_time\": {\"value\": %.0f, \"unit\": \"ns\", \"better\": \"lower\", \"count\": 100}}}\n",
			1767225600 + 86400 * i, i, i, 6e7 * (1 + 0.004 * (noise - 6)) * (1 + (i > 20 ? 0.001 * (i - 20) : 0))
	}
}' >store.jsonl
tell() { "$TRACEQ" gate --history store.jsonl -q | grep -oE '^gate [A-Za-z]+|step_time: .*'; }
tell
# 4 % in 40 nights; of 30 % nobody asked.
"$TRACEQ" gate --history store.jsonl -q --check step_time=5% | head -1
"$TRACEQ" baseline pin store.jsonl night41 c42 night43 night44 night45
tell
"$TRACEQ" baseline pin store.jsonl night99
"$TRACEQ" baseline prune store.jsonl --keep 12
"$TRACEQ" baseline list store.jsonl | head -7
"$TRACEQ" baseline pin store.jsonl
"$TRACEQ" baseline list store.jsonl --json | grep -c '"pinned": true'
"$TRACEQ" baseline prune store.jsonl --keep 3
