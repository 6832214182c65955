# The same samples from eleven monitors: what each says of the GPUs is the same, where it says it.
for n in smi-dmon smi-dmon-csv dcgm-dmon dcgm-export rocm-smi-csv rocm-smi-table amd-smi-monitor amd-smi-csv \
	rocm-smi-json amd-smi-metric-json amd-smi-monitor-json; do
	"$FIXTURES" artifact "$n" >"$n"
	echo "# $n"
	"$TRACEQ" smi "$n" --wide -q
	"$TRACEQ" smi "$n" -q --json | grep -oE '"(power_mean_w|energy_j|span_s|capacity_bytes)": [^,}]*' | paste -sd' '
done
echo "# processes are no GPUs"
"$FIXTURES" artifact smi-pmon >smi-pmon
"$TRACEQ" smi smi-pmon
echo "exit $?"
"$TRACEQ" metrics smi-pmon -q | grep process
echo "# where the counter of energy falls back power and time say it; of two hosts GPUs are told apart"
sed 's/5630000 1764504002000/100 1764504002000/' dcgm-export >reset
"$TRACEQ" smi reset -q --json | grep -oE '"energy_j": [^,}]*' | paste -sd' '
{ cat dcgm-export; sed 's/node1/node2/' dcgm-export; } | "$TRACEQ" smi - -q --format csv | cut -d, -f1,3
