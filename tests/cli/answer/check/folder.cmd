# Run folders: what is there, missing, damaged; exit 1 only when nothing could be read.
artifact() { "$FIXTURES" artifact "$1" >"$2"; }
mkdir -p full/torch_profiler full/profiler_context no-trace/profiler_context lost damaged empty logs
"$FIXTURES" healthy --steps 2 >full/torch_profiler/trace.json
artifact op-csv full/torch_profiler/op_stats.csv
artifact stage-times-context full/profiler_context/stage_times.json
artifact memory-stats full/memory_stats.json
artifact run-config full/config.json
artifact run-metrics full/metrics.json
artifact stage-times no-trace/profiler_context/stage_times.json
artifact profiler-report no-trace/profiler_report.json
artifact run-metrics lost/metrics.json
"$FIXTURES" artifact profiler-summary | sed 's/"trace_json": false/"trace_json": true/' >lost/profiler_summary.json
"$FIXTURES" artifact stage-times | head -c 80 >damaged/stage_times.json
: >damaged/trace.json
artifact memory-stats damaged/memory_stats.json
echo 'nothing here' >empty/readme.txt
artifact train-jsonl logs/train.jsonl
ln -s ../logs logs/self
for d in full no-trace lost damaged empty logs; do
	echo "== $d"
	"$TRACEQ" check "$d" -n 1 2>&1 | sed '/^Launches/,$d'
	"$TRACEQ" check "$d" >/dev/null 2>&1
	echo "exit $?"
done
