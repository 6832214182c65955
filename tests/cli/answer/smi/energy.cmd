# joules of a trace with samples beside it: at 350 W each ns is 350 nJ; the zone of the log is found
samples() { # DATE HOUR: every 20 ms, 12 minutes past it, around the trace
	awk -v at="$1 $2" 'BEGIN {
		print "timestamp, index, name, utilization.gpu [%], power.draw [W], power.limit [W], " \
			"clocks.sm [MHz], clocks_event_reasons.active"
		for (i = 0; i < 17; i++)
			printf "%s:12:32.%03d, 0, NVIDIA H100 80GB HBM3, 98 %%, 350.00 W, 700.00 W, " \
				"%d MHz, %s\n", at, 200 + 20 * i, (i > 9 ? 1560 : 1980),
				(i > 9 ? "0x0000000000000024" : "0x0000000000000000")
	}'
}
mkdir run
"$FIXTURES" healthy --steps 8 >run/trace.json
samples 2025/07/18 11 >run/gpu.csv
"$TRACEQ" smi run
samples 2025/07/18 09 >utc.csv
"$TRACEQ" smi utc.csv run/trace.json --format csv --table energy_parts
"$TRACEQ" smi utc.csv run/trace.json --json | grep -A3 '"id": "energy_steps"' | head -c 200
echo
echo apart
samples 2025/07/19 23 >other.csv
"$TRACEQ" smi other.csv run/trace.json | tail -n 3
"$TRACEQ" smi utc.csv run/trace.json --zone +05:30 | tail -n 3
"$TRACEQ" smi utc.csv run/trace.json --zone 25h
echo part
head -n 10 utc.csv >part.csv
"$TRACEQ" smi part.csv run/trace.json | sed -n '/^energy of/,/^$/p; /^energy by step/,/^$/p'
"$TRACEQ" report run -q -o r.md
sed -n '/^### Energy/,/^by what ran/p' r.md
