# A canary's summary (S3-A1): no CUDA times means different things, and the trace says which; one op
# that dominates, conversions, the optimizer, copies.
summary() {
	cat <<X
{"run_id": "dpo_profiled", "perf": {"step_time": {"mean": 0.4213, "count": 70}, "approx_tokens_per_sec": 4861.2,
  "max_mem_mb": 1933.5}, "stability": {},
 "profiler": {"trace_path": "profiler_traces/dpo_profiled/trace.json", "cuda_time_total_ms": $1, "cpu_time_total_ms": $2,
  "self_cuda_time_total_ms": $1, "top_cuda_ops": [$3], "top_cpu_ops": [$4]}}
X
}
row() { printf '{"name": "%s", "self_c%s_time_ms": %s, "count": 80}' "$2" "$1" "$3"; }
none="$(row uda aten::mm 0), $(row uda aten::copy_ 0)"
cpu="$(row pu aten::to 400), $(row pu Optimizer.step#AdamW.step 300), $(row pu aten::_to_copy 200), $(row pu aten::mm 100)"
mkdir -p profiler_output/run1 profiler_traces/dpo_profiled
summary 0 3100.25 "$none" "$cpu" >profiler_output/run1/metrics.json
echo "== no CUDA times, no trace"
"$TRACEQ" diagnose profiler_output/run1/metrics.json -q
echo "== a trace with kernels"
"$FIXTURES" healthy --steps 4 >profiler_traces/dpo_profiled/trace.json
"$TRACEQ" diagnose . -q --rules Q01,Q02 | sed -n '/other files/,$p'
echo "== a trace without kernels, with CUDA calls"
"$FIXTURES" healthy --steps 4 | grep -v '"cat": "\(kernel\|gpu_memcpy\|gpu_memset\)"' >profiler_traces/dpo_profiled/trace.json
"$TRACEQ" diagnose . -q --rules Q01 2>&1 | tail -n 8
echo "== a trace of the CPU"
"$FIXTURES" cpu-only --steps 4 >profiler_traces/dpo_profiled/trace.json
"$TRACEQ" diagnose . -q --rules Q01 | sed -n '/other files/,$p'
echo "== one operation, copies"
summary 1000 300 "$(row uda aten::my_op 900), $(row uda aten::mm 100)" "$(row pu aten::mm 10)" >metrics.json
"$TRACEQ" diagnose metrics.json -q
summary 1000 800 "$(row uda aten::copy_ 310), $(row uda aten::mm 690)" "$(row pu aten::mm 10)" >metrics.json
"$TRACEQ" diagnose metrics.json -q --rules Q01,Q02
echo "== as the notebook prints it"
summary 1250.5 3100.25 "$(row uda aten::_scaled_dot_product_flash_attention_backward 600.5), $(row uda aten::copy_ 150.25)" "$cpu" >profiler_output/run1/metrics.json
rm metrics.json
"$FIXTURES" healthy --steps 2 >profiler_traces/dpo_profiled/trace.json
"$TRACEQ" diagnose . --format seed
summary 0 3100.25 "$none" "$cpu" >profiler_output/run1/metrics.json
"$TRACEQ" diagnose . --format seed | sed -n '/QUICK/,$p'
"$TRACEQ" diagnose profiler_output/run1/metrics.json --format seed | sed -n '/QUICK/,$p'
"$TRACEQ" diagnose profiler_traces/dpo_profiled/trace.json --format seed
"$TRACEQ" diagnose profiler_traces/dpo_profiled/trace.json . --format seed | grep -c QUICK
printf '{"step": 1, "loss": 0.5}\n{"step": 2, "loss": 0.4}\n' >log.jsonl
"$TRACEQ" diagnose log.jsonl --format seed
