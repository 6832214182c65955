# The documents' run folder: what stage times, op table and memory statistics say stands beside the
# trace's verdict (S2-A4, S2-A5, S2-A6), each with its file; without the trace the same is there.
mkdir -p run/torch_profiler
"$FIXTURES" healthy --steps 8 --memory >run/torch_profiler/trace.json
cat >run/stage_times.json <<'X'
{
  "stage_times": {"rollout": [0.84, 0.85, 0.851], "reward": [0.05, 0.05, 0.05], "update": [0.103, 0.103, 0.103]},
  "average_times": {"rollout": 0.847, "reward": 0.05, "update": 0.103},
  "total_steps": 3
}
X
cat >run/torch_profiler/op_stats.csv <<'X'
Name,Self CPU Time (μs),CPU Time (μs),Self CUDA Time (μs),CUDA Time (μs),Count,Self CPU Memory (bytes),CPU Memory (bytes),Self CUDA Memory (bytes),CUDA Memory (bytes)
aten::addmm,100.0,120.0,400.0,400.0,1,0,0,2500000000,2500000000
aten::copy_,10.0,10.0,100.0,100.0,1,0,0,0,0
X
cat >run/torch_profiler/memory_stats.json <<'X'
{"step_count": 3, "peak_memory_usage": {"cpu": 1024, "cuda": 2500000000}, "timestamp": 1764504000.0}
X
"$TRACEQ" diagnose run | sed -n '/other files/,/^$/p'
"$TRACEQ" diagnose run | head -n 2
"$TRACEQ" diagnose run --rules R01 --json | grep -o '"id": *"[a-z_]*"'
"$TRACEQ" diagnose run --rules R01,R03 --min-severity note -q | tail -n 12
rm run/torch_profiler/trace.json
"$TRACEQ" diagnose run -q
