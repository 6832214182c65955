# A check that is given holds for all who say its quantity, their averages too.
for r in a b; do
	mkdir $r
	v=0.5
	[ $r = b ] && v=0.9
	"$FIXTURES" artifact run-metrics | sed "s/\"average_step_time\": [0-9.]*/\"average_step_time\": $v/" >$r/metrics.json
	for i in {10..40}; do
		echo "{\"step\": $i, \"loss\": 0.9, \"train/step_time\": $v}"
	done >$r/log.jsonl
done
printf 'max_step_time_increase_pct: 200\n' >t.yaml
"$TRACEQ" gate a b --verbose -q | grep step_time
for o in "--check step_time=200%" "--thresholds t.yaml"; do
	# shellcheck disable=SC2086
	"$TRACEQ" gate a b $o --verbose -q | grep step_time
done
"$TRACEQ" gate a b --check step_time=200% --check summary.average_step_time=20% --verbose -q | grep average_step
