# Every artifact of a run counts: what metrics.json says beside a trace that did not change.
canary() { # step seconds, tokens/s, MB: the document's perf and profiler blocks
	cat <<M
{"run_id": "r",
 "config": {"batch_size": 2, "gradient_accumulation_steps": 4},
 "perf": {"step_time": {"mean": $1}, "approx_tokens_per_sec": $2, "max_mem_mb": $3},
 "profiler": {"trace_path": "profiler_traces/r/trace.json", "cuda_time_total_ms": 812.33,
  "cpu_time_total_ms": 1702.51, "self_cuda_time_total_ms": 800.10,
  "top_cuda_ops": [{"name": "aten::mm", "self_cuda_time_ms": $4, "count": 120}], "top_cpu_ops": []}}
M
}
mkdir -p base/profiler_traces/r
"$FIXTURES" healthy --steps 8 >base/profiler_traces/r/trace.json
cp -r base slow
canary 0.5012 4086 2311 400.5 >base/metrics.json
canary 1.0024 4086 4622 400.5 >slow/metrics.json
echo "== step time and memory doubled, the trace is the same"
"$TRACEQ" gate base slow --wide
echo "exit $?"
"$TRACEQ" diff base slow --format seed -q | sed -n '6,10p;/^DIAG/,$p'
echo "== throughput a third less, and another op time"
canary 0.5012 2723 2311 801 >slow/metrics.json
"$TRACEQ" gate base slow --wide -q | grep -E '^gate|FAIL'
echo "== settings that differ are said, though it passes"
canary 0.5012 4086 2311 400.5 | sed 's/"batch_size": 2/"batch_size": 1/' >slow/metrics.json
"$TRACEQ" gate base slow -q | grep -vE '^pass'
echo "== the same quantity from two artifacts is two rows"
metrics() { # accuracy at the end, average step time
	cat <<M
{"summary": {"total_steps": 100, "total_epochs": 1, "final_loss": 0.5, "final_accuracy": $1,
  "average_step_time": $2, "average_epoch_time": 50.0},
 "losses": [0.9, 0.7, 0.5], "accuracies": [0.5, 0.7, $1], "step_times": [$2, $2, $2, $2], "epoch_times": [50.0]}
M
}
summary() { # average step time
	printf '{"step_profiler": {"step_count": 100, "average_step_time": %s, "total_time": 50.0, "step_times": []}}\n' "$1"
}
mkdir a b && metrics 0.92 0.5 >a/metrics.json && summary 0.5 >a/profiler_summary.json
metrics 0.80 0.5 >b/metrics.json && summary 0.9 >b/profiler_summary.json
"$TRACEQ" gate a b --wide
echo "exit $?"
echo "== what only one side says"
rm b/profiler_summary.json && cp a/metrics.json b && echo '{"step_count": 8, "peak_memory_usage": {"cpu": 100, "cuda": 2000000}}' >b/memory_stats.json
"$TRACEQ" gate a b --wide
echo "exit $?"
"$TRACEQ" gate a b -q --fail-on skip >/dev/null
echo "exit $?"
echo "== a direction that nobody knows, and one that is given"
printf '{"step": %d, "loss": 0.5, "grad_norm": 1.5, "entropy": 2.0}\n' 1 2 3 4 5 6 7 8 9 10 >c.jsonl
sed 's/"grad_norm": 1.5/"grad_norm": 4.5/' c.jsonl >d.jsonl
"$TRACEQ" gate c.jsonl d.jsonl -q
echo "exit $?"
"$TRACEQ" gate c.jsonl d.jsonl -q --better grad_norm=lower
echo "exit $?"
"$TRACEQ" gate d.jsonl c.jsonl -q --better grad_norm=higher | head -1
"$TRACEQ" diff c.jsonl d.jsonl -q --better grad_norm=lower | grep grad_norm
"$TRACEQ" gate c.jsonl d.jsonl --better gradnorm=lower
echo "exit $?"
"$TRACEQ" gate c.jsonl d.jsonl --better grad_norm=less
echo "exit $?"
printf 'gate: {grad_norm: {better: lower}}\n' >traceq.yaml
"$TRACEQ" gate c.jsonl d.jsonl -q | grep grad_norm
"$TRACEQ" diff c.jsonl d.jsonl -q | grep grad_norm
