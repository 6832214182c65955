# What the canary's notebook prints: of a file, of a folder with its trace, without a profiler.
"$FIXTURES" artifact canary-metrics >metrics.json
"$TRACEQ" metrics metrics.json --format seed
mkdir -p run/profiler_traces/canary_run_1
cp metrics.json run
"$FIXTURES" healthy --steps 2 >run/profiler_traces/canary_run_1/trace.json
"$TRACEQ" metrics run --format seed -q | tail -n 8
printf '{"run_id": "r", "env": {}, "perf": {"step_time": {"mean": 0.5, "count": 40}, "max_mem_mb": 100.5}, "stability": {}, "profiler": null, "status": "completed"}' >off.json
"$TRACEQ" metrics off.json --format seed
"$FIXTURES" artifact train-jsonl >train.jsonl
"$TRACEQ" metrics train.jsonl --format seed
echo "exit $?"
# What rldk prints about a profiler's folder, and about its own report.
"$FIXTURES" artifact profiler-report >profiler_report.json
"$TRACEQ" metrics profiler_report.json --format seed -q
mkdir ctx
"$FIXTURES" artifact stage-times-context >ctx/stage_times.json
"$TRACEQ" metrics ctx --format seed -q
