# "My run got slower after N steps": step times that rise by 78 %, at once and creeping; noise that
# does not; the steps a trace has beside those its configuration asks for.
times() {
	awk -v how="$1" 'BEGIN { srand(7); printf "{\"summary\": {\"total_steps\": 400}, \"losses\": [1.0, 0.9], \"step_times\": ["
		for (s = 0; s < 400; s++) {
			v = 0.25 * (1 + 0.04 * (rand() + rand() + rand() - 1.5))
			if (how == "jump" && s >= 250) v *= 1.78
			if (how == "creeping" && s >= 200) v *= 1 + 0.78 * (s - 200) / 200
			if (how == "spikes" && s % 40 == 39) v *= 3
			if (how == "warm-up" && s < 5) v *= 10
			printf "%s%.6f", s ? ", " : "", v
		}
		print "]}" }'
}
for how in jump creeping noise spikes warm-up; do
	times $how >metrics.json
	echo "== $how"
	"$TRACEQ" diagnose metrics.json -q --rules R13,R14
done
mkdir run
"$FIXTURES" healthy --steps 20 >run/trace.json
cat >run/dpo_profiled.yaml <<'X'
name: dpo_profiled
description: DPO training with profiler enabled for performance analysis
training_type: dpo
max_steps: 80
batch_size: 2
# PROFILER ENABLED!
profiler:
  enabled: true
  start_step: 50      # Start after warmup
  num_steps: 20       # Profile 20 steps
  output_dir: ./profiler_traces
  record_shapes: true
  profile_memory: true
  with_stack: false   # Keep false for speed
X
"$TRACEQ" diagnose run -q --rules R15 --json | grep -o '"finding": *"[^"]*"'
"$FIXTURES" healthy --steps 6 >run/trace.json
"$TRACEQ" diagnose run -q --rules R15 | sed -n '/other files/,$p'
echo "== what the profiler was told to record, by a configuration and by a log's first line"
rm -r run/*
"$FIXTURES" healthy --steps 3 >run/trace.json
printf '%s\n' 'model_name: m' 'max_steps: 10' 'batch_size: 2' 'learning_rate: 1e-4' 'profiler:' '  start_step: 3' \
	'  num_steps: 3' '  record_shapes: false' '  profile_memory: true' '  with_stack: true' >run/config.yaml
"$TRACEQ" diagnose run -q --rules R15 | sed -n '/other files/,$p'
rm run/config.yaml
{
	echo 'python train.py --enable-profiling --profiler-wait-steps 10 --profiler-warmup-steps 2 --profiler-active-steps 5'
	for i in 1 2 3 4; do echo "step $i loss 2.$i step_time 0.5s"; done
} >run/train.log
"$TRACEQ" diagnose run -q --rules R15 | sed -n '/other files/,$p'
