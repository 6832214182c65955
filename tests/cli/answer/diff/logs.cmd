# Logs without traces; with traces beside them, their step time stands beside the trace's.
log() {
	awk -v t="$1" 'BEGIN {
		for (i = 0; i < 60; i++)
			printf "{\"step\": %d, \"loss\": %s, \"step_time\": %.4f, \"tokens_per_second\": %.1f}\n",
				i, i == 30 ? "NaN" : 2 / (1 + i), t * (1 + i % 5 / 100), 4096 / t
	}'
}
mkdir -p base new && log 0.40 >base/train.jsonl && log 0.50 >new/train.jsonl
"$TRACEQ" diff base new
echo "== with traces, and a file that is damaged"
"$FIXTURES" healthy --steps 8 >base/t.json && "$FIXTURES" healthy --steps 8 --seed 2 >new/t.json
printf '\037\213\010\000no gzip at all' >new/broken.json.gz
"$TRACEQ" diff base new -n 1 2>&1 | sed -n '/^metric/,$p'
echo "== strict"
head -c 400000 new/t.json >cut && mv cut new/t.json
"$TRACEQ" diff base new --strict 2>&1
echo "exit $?"
echo "== a log on both sides, a trace on one"
rm new/t.json new/broken.json.gz && "$TRACEQ" diff new base
echo "== nothing in common"
"$TRACEQ" diff base/t.json new/train.jsonl
echo "exit $?"
