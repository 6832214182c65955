# A figure that nobody knows the better side of: compared all the same, said first, and a failure where the store never saw it move
for i in $(seq 0 11); do
	echo "{\"queue_depth\": 40.0$i, \"job_id\": 7$i, \"request_throughput\": 20.$i, \"mean_ttft_ms\": 50}" >run$i.json
	$TRACEQ baseline add store run$i.json --time $((1700000000 + i * 86400)) -q --no-config
done
echo '{"queue_depth": 60.0, "job_id": 99, "request_throughput": 20.5, "mean_ttft_ms": 50}' >new.json
for option in "run0.json" "run0.json --strict-unknown" "run0.json --better lower:queue_depth" \
	"run0.json --better higher:queue_depth" "store"; do
	set -- $option
	echo "== $option"
	$TRACEQ gate "$1" new.json "${@:2}" --no-config | head -5
	echo "exit ${PIPESTATUS[0]}"
done
