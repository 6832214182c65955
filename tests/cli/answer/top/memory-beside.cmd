# A run folder whose trace has no allocator events, and op_stats.csv beside it (S2-A5): its bytes are what
# "Top 10 Operations by CUDA Memory Usage" is made of (S2-V5).
mkdir -p run/torch_profiler
"$FIXTURES" healthy --steps 2 >run/torch_profiler/trace.json
cat >run/torch_profiler/op_stats.csv <<'X'
Name,Self CPU Time (μs),CPU Time (μs),Self CUDA Time (μs),CUDA Time (μs),Count,Self CPU Memory (bytes),CPU Memory (bytes),Self CUDA Memory (bytes),CUDA Memory (bytes)
aten::addmm,100.0,120.0,400.0,400.0,1,0,0,1073741824,2147483648
aten::copy_,10.0,10.0,100.0,100.0,1,4096,4096,0,0
X
"$TRACEQ" top run --memory -q | sed -n '/device memory/,$p'
"$TRACEQ" plot --list run | grep top-memory-ops
"$TRACEQ" top run -q | grep -c 'device memory'
"$FIXTURES" healthy --steps 2 --memory >run/torch_profiler/trace.json
"$TRACEQ" top run --memory -q | grep -c 'device memory'
