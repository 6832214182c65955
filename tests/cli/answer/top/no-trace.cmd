# Without a trace: the operations of summaries, op CSVs, table texts; what has none cannot answer.
for name in op-csv op-csv-kit ops-csv canary-metrics op-table run-log profiler-report; do
	"$FIXTURES" artifact $name >$name
	echo "== $name"
	"$TRACEQ" top $name -n 2 2>&1
done
echo "== sorted, filtered"
"$TRACEQ" top op-csv --sort calls -f aten 2>&1
echo "== in a folder"
mkdir run && mv op-csv run/op_stats.csv
"$TRACEQ" top run -n 1 2>&1
echo "== json"
"$TRACEQ" top --json -n 1 ops-csv 2>&1
"$FIXTURES" artifact run-metrics >run-metrics
"$TRACEQ" top run-metrics
echo "exit $?"
"$TRACEQ" steps run/op_stats.csv
echo "exit $?"
