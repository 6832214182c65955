# Results of inference benchmarks: throughput is better higher, latency lower, whatever wrote them.
"$FIXTURES" artifact vllm-serve >base.json
sed -e 's/"request_throughput": 20.0/"request_throughput": 15.0/' -e 's/"mean_tpot_ms": 13.0/"mean_tpot_ms": 11.0/' \
	-e 's/"p99_tpot_ms": 19.5/"p99_tpot_ms": 29.5/' base.json >slow.json
echo "== throughput a quarter less; a quantile, too; less latency is none"
"$TRACEQ" gate base.json slow.json -q --wide
echo "exit $?"
echo "== and the other way round"
"$TRACEQ" gate slow.json base.json -q
echo "exit $?"
echo "== a night's results, test by test"
"$FIXTURES" artifact vllm-nightly >base.json
sed 's/"Mean TTFT (ms)": 64.0/"Mean TTFT (ms)": 96.0/' base.json >slow.json
"$TRACEQ" gate base.json slow.json -q | grep -v ^pass
echo "== seconds in one file, milliseconds in the other"
printf '{"avg_latency": 2.375, "latencies": [2.5, 2.25], "percentiles": {"50": 2.375}}\n' >s.json
printf '{"avg_latency_ms": 2375.0, "latencies": [2.5, 2.25], "percentiles": {"50": 2.375}}\n' >ms.json
for f in s.json ms.json; do "$TRACEQ" metrics $f -q --json | grep -A2 '"key": "avg_latency\|"mean"' | grep -m1 -o '"mean": *[0-9.]*'; done
echo "== repeats of one setting are its noise: the median counts"
"$FIXTURES" artifact sglang-serving >r.jsonl
"$TRACEQ" noise r.jsonl r.jsonl -q | grep -E 'throughput|ttft' | head -4
