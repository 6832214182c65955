# a sweep as CSV, with a GPU and a limit; as JSON; the raw measurements; a profile's benchmark
for n in sweep-csv sweep-raw-csv sweep-raw-json baseline-metrics gpu-profile; do
	"$FIXTURES" artifact "$n" >"$n"
done
"$TRACEQ" batch sweep-csv --capacity A100-40
"$TRACEQ" batch sweep-csv --slo 10ms --min-throughput 120 --epsilon 1% --format md
"$TRACEQ" batch sweep-csv --capacity 3GiB -q
"$TRACEQ" batch sweep-raw-csv sweep-raw-json -q
"$TRACEQ" batch baseline-metrics
"$TRACEQ" batch gpu-profile -q
"$TRACEQ" batch sweep-csv --json -q
"$TRACEQ" batch sweep-csv --format csv -q
"$TRACEQ" batch sweep-csv --format csv -q --table targets
