# samples of NVML inside a trace, as traceq capture writes them: the same tables, and joules on one clock
"$FIXTURES" healthy --steps 8 >plain.json
awk '{ print }
	/"traceEvents": \[/ {
		for (i = 0; i < 18; i++) {
			ts = sprintf("%.3f", 1419116240000 + 15000 * i)
			split("power (W)|GPU utilization (%)|memory used (MiB)|SM clock (MHz)|" \
				"throttle reasons (bits)|mean power (W)", name, "|")
			split("420.5|97|40960|1755|4|419", value, "|")
			for (k = 1; k <= 6; k++)
				printf "{\"ph\": \"C\", \"cat\": \"nvml\", \"pid\": 0, \"tid\": 0, \"ts\": %s, " \
					"\"name\": \"%s\", \"args\": {\"\": %s}},\n", ts, name[k], value[k]
		}
		print "{\"ph\": \"C\", \"cat\": \"other\", \"pid\": 0, \"ts\": 1, \"name\": \"power (W)\", \"args\": {\"\": 7}},"
	}' plain.json >t.json
"$TRACEQ" smi t.json
"$TRACEQ" smi plain.json
for a in kernels steps; do # nothing else changes
	"$TRACEQ" "$a" plain.json -q >plain.txt
	"$TRACEQ" "$a" t.json -q | diff plain.txt - && echo same
done
