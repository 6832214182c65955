# DCGM's exporter beside a trace: constant 400 W on the trace's own clock, so energy is 400 W times the steps' time.
"$FIXTURES" healthy --steps 3 >trace.json
start=$(date -ud 2025-07-18T09:12:32Z +%s)
for i in $(seq 0 20); do
	echo "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-0\",modelName=\"H100\"} 400.000 $((start * 1000 + i * 100))"
	echo "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-0\",modelName=\"H100\"} 95 $((start * 1000 + i * 100))"
done >gpu.prom
"$TRACEQ" smi gpu.prom trace.json --wide 2>&1 | sed -n '/energy of the traces/,/energy by what ran/p;/energy by step/,/^$/p;/clock is taken/p'
