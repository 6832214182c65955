# Two runs: what parts them first, then what moves; constants and single values are named.
for run in a b; do
	mkdir $run
	for step in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
		loss=$((100 - step * 5)) time=70
		[ "$run$((step > 8))" = b1 ] && time=90
		echo "{\"step\": $step, \"loss\": $loss, \"step_time_ms\": $time.$((step % 3)), \"epsilon\": 1e-8}"
	done >$run/train.jsonl
	echo '{"step": 17, "eval": 3}' >>$run/train.jsonl
done
"$TRACEQ" plot metric-series a b -o m.svg -q 2>no-gnuplot
grep -oE 'step_time_ms|loss|constant: [^"]*|of several runs' m.gp | uniq
"$TRACEQ" metrics a --json --warmup 0 | grep -oE '"key": "[a-z_]*", "group": null, "count": [0-9]*|"moves_ratio": [^,]*'
