# A run folder as seed 002 prints it is one run for every command: stage_times.json is in its root and
# in profiler_context/, the profiler's own files are in torch_profiler/.
make_run() {
	mkdir -p "$1/profiler_context" "$1/torch_profiler"
	cat >"$1/config.json" <<-'JSON'
		{"batch_size": 4, "learning_rate": 0.001, "num_epochs": 2, "num_steps_per_epoch": 2,
		 "input_size": 100, "hidden_size": 50, "output_size": 10, "seed": 42, "device": "cpu",
		 "profiler_enabled": true}
	JSON
	cat >"$1/metrics.json" <<-'JSON'
		{"summary": {"total_steps": 4, "total_epochs": 2, "final_loss": 0.5, "final_accuracy": 0.8,
		  "average_step_time": 0.1, "average_epoch_time": 0.2}, "losses": [0.9, 0.8, 0.6, 0.5],
		 "accuracies": [0.5, 0.6, 0.7, 0.8], "step_times": [0.10, 0.11, 0.10, 0.09],
		 "epoch_times": [0.21, 0.19]}
	JSON
	cat >"$1/profiler_summary.json" <<-'JSON'
		{"profiler_manager": {"enabled": true, "output_dir": "runs/run_1764504000",
		  "stage_times": {"forward": 0.04, "backward": 0.05}, "total_steps": 4,
		  "artifacts": {"trace_json": false, "op_stats_csv": false, "stage_times_json": true,
		   "memory_stats_json": false}}}
	JSON
	cat >"$1/stage_times.json" <<-'JSON'
		{"stage_times": {"forward": [0.04, 0.04, 0.05, 0.03], "backward": [0.05, 0.06, 0.05, 0.04]},
		 "average_times": {"forward": 0.04, "backward": 0.05}, "total_steps": 4}
	JSON
	sed 's/"total_steps": 4/"total_stages": 2, "timestamp": 1764504000.25/' "$1/stage_times.json" \
		>"$1/profiler_context/stage_times.json"
	"$FIXTURES" healthy --steps 3 >"$1/torch_profiler/trace.json"
	"$FIXTURES" artifact op-csv >"$1/torch_profiler/op_stats.csv"
	"$FIXTURES" artifact memory-stats >"$1/torch_profiler/memory_stats.json"
}
mkdir -p runs/m1a
make_run runs/m1a/run_1764504000
make_run runs/run_1764507600
ln -s run_1764507600 runs/latest
a=runs/m1a/run_1764504000
b=runs/latest
echo "== info"
"$TRACEQ" info $a 2>&1 | sed -n '/^Files/,/^$/p'
"$TRACEQ" info runs -q | grep ': Files of'
echo "== how many runs"
"$TRACEQ" diff $a $b -q | sed -n '/runs  ranks/,/^$/p'
"$TRACEQ" gate $a $b -q >/dev/null
echo "gate: $?"
"$TRACEQ" noise $a 2>&1
"$TRACEQ" noise runs/run_1764507600 $a 2>&1 | sed -n 2p
"$TRACEQ" baseline add store $a -q && "$TRACEQ" baseline add store $b -q
"$TRACEQ" baseline list store | grep -c ' 27.39 ms'
"$TRACEQ" baseline list store | cut -c 17-36
echo "== figures counted once"
"$TRACEQ" metrics $a -q | grep 'stage_times'
"$TRACEQ" diff $a $b -q -n 0 | grep 'stage_times'
echo "== another figure in the second file: both are read, the root's first, and counted"
sed -i 's/0.05, 0.03/0.05, 0.13/; s/"stage_times": {/&"epoch_0": [0.21], "step_0": [0.10], /' \
	$a/profiler_context/stage_times.json
"$TRACEQ" info $a 2>&1 | sed -n '/^Files/,/^$/p' | grep -A6 '^stage'
"$TRACEQ" metrics $a -q | grep 'stage_times\|epoch_0\|step_0'
"$TRACEQ" stages $a -q | grep 'epoch_0\|step_0\|forward'
"$TRACEQ" diagnose $a -q | grep 'epoch_0\|step_0'
echo "== one run still"
"$TRACEQ" diff $a $b -q -n 0 | grep '@\|epoch_0\|step_0'
"$TRACEQ" gate $b $a -q -n 0 --format csv | grep '@\|epoch_0\|,stage_times.forward' | cut -c1-90
"$TRACEQ" gate $a $a -q >/dev/null; echo "gate with itself: $?"
"$TRACEQ" noise $a 2>&1 | head -1
echo "== what the second and the third both say is read once"
cp $a/profiler_context/stage_times.json $a/torch_profiler/
"$TRACEQ" info $a -q --format csv --table files 2>&1 | grep 'stage_times.json'
echo "== the first cannot be read: the others are"
rm $a/torch_profiler/stage_times.json
printf '{"stage_times": {"forward": [0.04' >$a/stage_times.json
"$TRACEQ" info $a -q --format csv --table files 2>&1 | grep 'stage_times.json'
