# Without a trace: the documents' rules on summaries, tables, stage times, metrics.
for name in canary-metrics op-csv profile stage-times memory-stats run-config; do
	"$FIXTURES" artifact $name >$name
	echo "== $name"
	"$TRACEQ" diagnose $name 2>&1
	echo "exit $?"
done
"$FIXTURES" artifact canary-metrics | sed 's/"cuda_time_total_ms": [0-9.]*/"cuda_time_total_ms": 0/' >zero
echo "== no CUDA times"
"$TRACEQ" diagnose zero 2>&1
"$FIXTURES" artifact canary-metrics | sed 's/"self_cuda_time_ms": 150.25/"self_cuda_time_ms": 1500/
	s/"cpu_time_total_ms": 3100.25/"cpu_time_total_ms": 300/; s/"dataloader_wait_pct": 2.5/"dataloader_wait_pct": 25/
	s/"gpu_utilization_avg": null/"gpu_utilization_avg": 42/' >bad
echo "== copies, waiting"
"$TRACEQ" diagnose bad 2>&1
"$TRACEQ" explain R06
