# A file of the new run that was cut: its figures are not compared, and the reason is said.
mkdir base new
printf '{"stage_times": {"forward": [0.1, 0.1]}, "average_times": {"forward": 0.1}, "total_steps": 2}' |
	tee base/stage_times.json >new/stage_times.json
printf '{"summary": {"final_accuracy": 0.9}, "losses": [1, 0.9], "accuracies": [0.1, 0.9], "step_times": [0.1, 0.1]}' >base/metrics.json
head -c 60 base/metrics.json >new/metrics.json
"$TRACEQ" gate base new
echo "exit $?"
"$TRACEQ" gate base new --fail-on skip -q | head -1
