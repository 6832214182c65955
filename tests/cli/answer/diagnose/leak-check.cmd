# The documents' leak check: allocated less baseline above 0.5 GB, every 100 steps. In logs, in raw
# measurements (S0-A2), and at the ends of a trace's steps.
log() {
	awk -v each="$1" 'BEGIN { for (s = 0; s < 1000; s++)
		printf "{\"step\": %d, \"loss\": %.4f, \"allocated_gb\": %.6f}\n", s, 1 / (s + 1), 10.5 + s * each }'
}
log 0.0012 >grows.jsonl # 0.5 GiB more after 417 steps: seen at 500
log 0.0004 >slow.jsonl  # 0.4 in all
for l in grows slow; do
	"$TRACEQ" diagnose $l.jsonl -q --rules Q03
	"$TRACEQ" diagnose $l.jsonl -q --rules Q03 -t Q03.growth=0.25GiB | sed -n 3p
done
measurement() {
	printf '{"timestamp": "2025-11-30T12:00:%02d", "tag": "%s", "allocated_gb": %s, "reserved_gb": 16.0, ' "$1" "$2" "$3"
	printf '"max_allocated_gb": 15.2, "max_reserved_gb": 16.0}\n'
}
{
	measurement 0 baseline 10.5
	for i in 1 2 3 4; do
		measurement "$i" iteration_start 10.5
		measurement "$i" iteration_end 1$i.0
		measurement "$i" leak_check 10.$((i + 5))
	done
} >raw.jsonl
"$TRACEQ" diagnose raw.jsonl -q --rules Q03
"$TRACEQ" metrics raw.jsonl -q
"$FIXTURES" leak --steps 40 >leak.json
"$TRACEQ" diagnose leak.json --rules Q03,G14 -q
"$TRACEQ" diagnose leak.json --rules Q03 -q -t Q03.growth=1GiB | tail -n 4
"$FIXTURES" healthy --steps 8 --memory >steady.json
"$TRACEQ" diagnose steady.json --rules Q03 --format tsv -q | cut -f1-4
