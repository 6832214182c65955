# a run folder: stages of every file, keys that two files have, what a report repeats left out
artifact() { "$FIXTURES" artifact "$1" >"$2"; }
mkdir -p run/profiler_context
artifact stage-times run/stage_times.json
artifact stage-times-context run/profiler_context/stage_times.json
artifact profiler-report run/profiler_report.json
artifact stage-csv run/summary.csv
artifact profile run/profiling_epoch0.json
artifact profile-short run/profiling_epoch1.json
"$TRACEQ" metrics run -q
"$TRACEQ" metrics run --json -q | grep -o '"file": *"[^"]*"' | sort | uniq -c
# a report alone is all there is
mkdir alone
artifact profiler-report alone/profiler_report.json
"$TRACEQ" metrics alone -q | grep -A2 '^stages'
# which command would have answered
for a in op-csv sweep-csv run-config gpu-profile; do
	artifact "$a" "$a"
	"$TRACEQ" smi "$a" -q
done
"$TRACEQ" kernels op-csv
"$TRACEQ" top sweep-csv
exit 0
