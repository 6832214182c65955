# The layout of seed 002's check_profile.py: DIR, --analysis, --report, --output F; exit 1 when INVALID.
mkdir -p runs/run_12345/profiler_context runs/run_12345/torch_profiler logs/logs
cat >runs/run_12345/stage_times.json <<'JSON'
{"stage_times": {"forward": [0.04, 0.04, 0.05, 0.03], "backward": [0.05, 0.06, 0.05, 0.04],
  "epoch_0": [0.21], "epoch_1": [0.19]},
 "average_times": {"forward": 0.04, "backward": 0.05, "epoch_0": 0.21, "epoch_1": 0.19},
 "total_steps": 4}
JSON
cp runs/run_12345/stage_times.json runs/run_12345/profiler_context/
cat >runs/run_12345/torch_profiler/op_stats.csv <<'CSV'
Name,Self CPU Time (μs),CPU Time (μs),Self CUDA Time (μs),CUDA Time (μs),Count,Self CPU Memory (bytes),CPU Memory (bytes),Self CUDA Memory (bytes),CUDA Memory (bytes)
aten::addmm,120.5,1500.25,80.0,80.0,1,0,0,1500000000,1500000000
aten::relu,20.0,30.0,5.0,5.0,1,0,0,1048576,1048576
aten::addmm,100.0,130.5,81.0,81.0,1,0,0,1200000000,1200000000
aten::mm,10.0,10.0,1.0,1.0,1,0,0,0,0
aten::t,9.0,9.0,1.0,1.0,1,0,0,0,0
aten::view,8.0,8.0,1.0,1.0,1,0,0,0,0
<lambda>,7.0,7.0,0.0,0.0,1,0,0,0,0
CSV
cat >runs/run_12345/torch_profiler/memory_stats.json <<'JSON'
{"step_count": 5, "peak_memory_usage": {"cpu": 1605632, "cuda": 1500000000}, "timestamp": 1764504000.5}
JSON
"$TRACEQ" check runs/run_12345 --format seed --analysis --report -q
echo "exit $?"
"$TRACEQ" check runs/run_12345 --format seed --analysis --report --output report.txt -q
head -n 3 report.txt
echo "== a context alone, a damaged trace, a log alone, nothing"
"$TRACEQ" check runs/run_12345/profiler_context --format seed --analysis -q
: >runs/run_12345/profiler_context/trace.json
"$TRACEQ" check runs/run_12345/profiler_context --format seed -q | tail -n 7
echo 'Step 1: loss 0.5' >logs/logs/train.log
"$TRACEQ" check logs --format seed -q
echo "exit $?"
"$TRACEQ" check runs/run_99999 --format seed -q
echo "exit $?"
"$TRACEQ" check runs/run_99999 2>&1
echo "exit $?"
echo "== what it is not"
"$TRACEQ" check runs/run_12345 --report
echo "exit $?"
"$TRACEQ" check report.txt --format seed
echo "exit $?"
