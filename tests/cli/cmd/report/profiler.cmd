# a run folder of the profiler document (S2-A1 to S2-A6) as a dashboard, and in its report's layout
mkdir -p runs/run_1764504000/profiler_context runs/run_1764504000/torch_profiler
cd runs/run_1764504000
cat >stage_times.json <<'END'
{"stage_times": {"forward": [0.012, 0.010, 0.0095], "backward": [0.005, 0.004, 0.0036]},
 "average_times": {"forward": 0.0105, "backward": 0.0042}, "total_steps": 3}
END
cat >torch_profiler/op_stats.csv <<'END'
Name,Self CPU Time (μs),CPU Time (μs),Self CUDA Time (μs),CUDA Time (μs),Count,Self CPU Memory (bytes),CPU Memory (bytes),Self CUDA Memory (bytes),CUDA Memory (bytes)
aten::addmm,120.5,150.25,80,80,1,0,0,2097152,2097152
aten::addmm,100,130,81,81,1,0,0,2097152,2097152
aten::relu,20,30,5,5,1,64,4096,0,1048576
"at::native::copy<float, 4>",0,0,12.5,12.5,1,0,0,0,0
END
echo '{"step_count": 8, "peak_memory_usage": {"cpu": 1605632, "cuda": 1073741824}, "timestamp": 1764504000.5}' >torch_profiler/memory_stats.json
cd ../..
"$TRACEQ" report runs/run_1764504000 -q | sed '/^METRICS OF THE RUN/,$d'
"$TRACEQ" report runs/run_1764504000 --format seed -q
echo "== a trace in the folder itself is what that report calls success"
"$FIXTURES" tiny >runs/run_1764504000/trace.json
"$TRACEQ" report runs/run_1764504000 --format seed -q | sed -n '2,6p'
"$TRACEQ" report runs/run_1764504000 -q | grep -A1 'profiler artifacts  \|profiling status'
