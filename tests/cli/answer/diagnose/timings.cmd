# Profiling JSON as the document prints it: where the iteration alone is timed nothing fails to add
# up (S0-A1); its advice for slow stages and for memory near the GPU's capacity.
cat >profiling_results.json <<'X'
{
  "timestamp": "2025-11-30T12:00:00",
  "device": 0,
  "memory": {
    "peak_allocated_gb": 15.2,
    "mean_allocated_gb": 12.8,
    "baseline_gb": 10.5
  },
  "timing": {
    "iteration": {
      "mean_sec": 0.425,
      "count": 1000
    }
  },
  "throughput": {
    "samples_per_sec": 9.4,
    "tokens_per_sec": 12032
  }
}
X
"$TRACEQ" diagnose profiling_results.json -q
"$TRACEQ" diagnose profiling_results.json -q --capacity 16GiB
"$TRACEQ" diagnose profiling_results.json -q --capacity 15.5GiB
timing() {
	printf '{"memory": {"num_measurements": 0}, "timing": {"iteration": {"mean_sec": %s, "count": 100}, ' "$1"
	printf '"forward": {"mean_sec": %s, "count": 100}, "backward": {"mean_sec": %s, "count": 100}, ' "$2" "$3"
	printf '"optimizer": {"mean_sec": %s, "count": 100}, "data_loading": {"mean_sec": %s, "count": 100}}}\n' "$4" "$5"
}
for t in "0.425 0.125 0.250 0.050 0" "0.5 0.3 0.1 0.05 0.05" "0.5 0.1 0.1 0.1 0.2" "0.9 0.1 0.1 0.1 0.1"; do
	echo "== $t"
	# shellcheck disable=SC2086
	timing $t >timing.json
	"$TRACEQ" diagnose timing.json -q
done
