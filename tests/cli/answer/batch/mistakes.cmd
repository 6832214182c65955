# limits that are none
"$FIXTURES" artifact sweep-csv >sweep.csv
for o in "--epsilon 7" "--slo 50" "--min-throughput x" "--capacity A100" "--headroom 8" "--steps 3"; do
	# shellcheck disable=SC2086
	"$TRACEQ" batch $o sweep.csv
	echo "$?"
done
"$TRACEQ" batch sweep.csv --slo 1ms -q
