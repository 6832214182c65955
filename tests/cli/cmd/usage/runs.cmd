# a folder of ranks is each of them, a folder of runs each run; a trace that was copied counts once
mkdir -p ranks runs/run_1/torch_profiler runs/run_2/logs runs/run_3 runs/configs
for r in 0 1 10 2; do
	"$FIXTURES" multi-rank --rank "$((r % 4))" --world 4 --steps 2 >"ranks/rank$r.json"
done
"$FIXTURES" artifact stage-times >ranks/stage_times.json
"$TRACEQ" steps ranks -q --per-rank | grep ': steps'
"$TRACEQ" top ranks -q -n 1 --rank 2 | grep ': device work'
"$TRACEQ" top ranks --json -q -n 1 | grep -A 6 '"inputs"'
"$TRACEQ" metrics ranks -q | grep -A 2 stages
: >ranks/rank11.json
echo '{"traceEvents": 5}' >ranks/rank3.json
"$TRACEQ" steps ranks --per-rank | grep ': steps'
"$TRACEQ" steps --strict ranks
echo "$?"
# runs
"$FIXTURES" tiny >runs/run_1/trace.json
cp runs/run_1/trace.json runs/run_1/torch_profiler/
"$FIXTURES" artifact run-metrics >runs/run_1/metrics.json
"$FIXTURES" artifact run-metrics >runs/run_2/metrics.json
"$FIXTURES" artifact op-csv >runs/run_2/op_stats.csv
"$FIXTURES" artifact train-jsonl >runs/run_2/logs/train.jsonl
"$FIXTURES" artifact run-config >runs/run_3/config.json
"$FIXTURES" artifact profiler-summary-off >runs/run_3/profiler_summary.json
"$FIXTURES" artifact run-config >runs/configs/config.json
echo 'print(1)' >runs/train.py
"$TRACEQ" info runs | grep -A 8 'Files of the folder'
"$TRACEQ" check runs -q | grep -E '^(runs/|reliable|why)'
echo "$?"
"$TRACEQ" top runs -n 1 | grep -E '^(runs/|note)'
"$TRACEQ" steps runs -q
# nothing with events in any of them
rm -r runs/run_1
"$TRACEQ" steps runs
echo "$?"
"$TRACEQ" top runs -q -n 1 | head -3
rm -r runs/run_2
mkdir runs/run_4
"$FIXTURES" artifact profiler-summary-off >runs/run_4/profiler_summary.json
"$TRACEQ" top runs
echo "$?"
