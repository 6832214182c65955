# Memory that grows from step to step fails, whatever the base did: of a trace, a log, measurements.
"$FIXTURES" healthy --steps 12 --seed 1 --memory >good.json
"$FIXTURES" leak --steps 12 --seed 1 --memory >leaks.json
for now in good leaks; do
	"$TRACEQ" gate good.json $now.json --verbose -q | grep -E '^gate|leak'
done
"$TRACEQ" gate leaks.json leaks.json -q | grep -E '^gate|leak'
echo "exit ${PIPESTATUS[0]}"
log() { # MiB a step
	awk -v slope="$1" 'BEGIN {
		for (i = 0; i < 120; i++)
			printf "{\"step\": %d, \"step_time\": 0.5, \"loss\": 1.0, \"allocated_mb\": %.3f}\n", i,
				4096 + slope * i + i * 7919 % 101 / 200
	}'
}
log 0 >flat.jsonl
log 3 >grows.jsonl
"$TRACEQ" gate flat.jsonl flat.jsonl -q | grep -E '^gate|leak'
"$TRACEQ" gate flat.jsonl grows.jsonl -q | grep -E '^gate|leak'
echo "exit ${PIPESTATUS[0]}"
taken() { # GB a measurement
	awk -v slope="$1" 'BEGIN {
		for (i = 0; i < 40; i++)
			printf "%s{\"tag\": \"step\", \"allocated_gb\": %.4f, \"reserved_gb\": 9.0, \"max_allocated_gb\": 8.0, \"max_reserved_gb\": 9.0}",
				i ? ",\n " : "[", 4 + slope * i
		print "]"
	}'
}
taken 0 >flat.json
taken 0.05 >grows.json
"$TRACEQ" gate flat.json grows.json -q | grep -E '^gate|leak'
echo "exit ${PIPESTATUS[0]}"
# Known, and tolerated.
"$TRACEQ" gate flat.json grows.json --check leak=1 -q | grep -E '^gate|leak'
