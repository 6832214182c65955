# Layouts of the source documents: how many runs every command finds in them.  A tree of each is in
# tests/unit/analyze/input/test_run_parts.c; here they are on disk.
trace() { mkdir -p "$(dirname "$1")" && "$FIXTURES" launch-bound --steps "${2:-2}" >"$1"; }
artifact() { mkdir -p "$(dirname "$2")" && "$FIXTURES" artifact "$1" >"$2"; }
runs() {
	echo "== $1"
	"$TRACEQ" info "$1" --json -q | grep -o '"input": *"[^"]*"\|"inputs": *\[[^]]*\]' | head -n 1
	"$TRACEQ" diff "$1" "$1" -q | sed -n 's/^\(base *[0-9]*\) .*/\1/p' | head -n 1
	for c in metrics diagnose report; do
		"$TRACEQ" $c "$1" -q >/dev/null || echo "$c $?"
	done
}
# seed 000: an export of the profiler and one of the logger after every epoch, and one at the end
artifact profile grpo/profiling_epoch0.json
artifact profile-short grpo/profiling_epoch1.json
artifact training-logger grpo/logs/grpo_v1/epoch0_metrics.json
artifact training-logger grpo/logs/grpo_v1/epoch1_metrics.json
artifact training-logger grpo/logs/grpo_v1/metrics_20251130_120000.json
runs grpo
"$TRACEQ" diff grpo grpo -q | sed -n '/^note: base/,/^note: new/p'
# seed 001: traces beside gpu_usage.csv and logs; the same host twice is a repeat
artifact smi guide/gpu_usage.csv
artifact run-log guide/logs/train.log
trace guide/profiler_traces/node7_4711.1764504000000000000.pt.trace.json
runs guide
trace guide/profiler_traces/node7_4711.1764504600000000000.pt.trace.json 3
runs guide
# seed 002: the standalone runner's folders, and a link to the newest
artifact stage-times runs/profiler_test/manager/stage_times.json
artifact stage-times-context runs/profiler_test/context/stage_times.json
trace runs/profiler_test/torch/trace.json
ln -s profiler_test runs/latest
runs runs/latest
# its sibling kit
artifact train-jsonl kit/logs/train.jsonl
artifact stage-csv kit/profiles/summary/summary.csv
artifact ops-csv kit/profiles/trace/ops.csv
trace kit/profiles/trace/node7_1.5.pt.trace.json
runs kit
# seed 003: metrics and traces under two roofs, by run id; then the slow run beside it
artifact canary-yaml canary/configs/dpo_profiled.yaml
artifact canary-metrics canary/profiler_output/run1/dpo_1764504000/metrics.json
trace canary/profiler_traces/dpo_1764504000/trace.json
runs canary
artifact canary-metrics canary/profiler_output/slow_run/dpo_1764507600/metrics.json
trace canary/profiler_traces_slow/dpo_1764507600/trace.json 3
runs canary
# seed 004: results and what lies beside them
artifact config-yaml week1/configs/config.yaml
artifact dataset-csv week1/data/val_df.csv
artifact label-mappings week1/data/label_mappings.json
artifact baseline-metrics week1/results/baseline_metrics.json
artifact sweep-csv week1/results/detailed_metrics.csv
artifact run-log week1/results/logs/run.log
artifact op-table week1/results/profiler_traces/stacks.txt
trace week1/results/profiler_traces/trace.json
runs week1
# two runs stay two, and samples above them are of neither
artifact run-metrics two/run_1/metrics.json
artifact run-metrics two/run_2/metrics.json
artifact smi two/gpu_usage.csv
runs two
"$TRACEQ" info two -q | grep -A4 'Files of' | grep -B1 -A3 'left out'
