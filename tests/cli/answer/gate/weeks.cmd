# Week 2 against week 1 (S4-A1, S4-A2): results folders as the document's scripts write them.
results() { # folder, latency per sample ms, samples/s, GPU MB, accuracy
	mkdir -p "$1/plots"
	cat >"$1/baseline_metrics.json" <<M
{
  "model_info": {"model_type": "qwen2", "vocab_size": 151936, "hidden_size": 896, "num_hidden_layers": 24,
    "num_attention_heads": 14, "max_position_embeddings": 32768, "total_params": 494033920,
    "trainable_params": 494033920, "non_trainable_params": 0, "param_size_mb": 1976.14, "buffer_size_mb": 0.0,
    "total_size_mb": 1976.14, "total_params_millions": 494.03},
  "dataset_info": {"num_samples": 369475, "num_labels": 23, "sample_size_profiled": 1000},
  "full_dataset_metrics": {"batch_size": 32, "accuracy": $5, "f1_macro": $5, "f1_weighted": $5,
    "latency_total": "90.23", "latency_per_sample": "0.009137", "throughput_samples_per_sec": "109.45",
    "cpu_mem_used": 12.5, "gpu_mem_used": 3456.78, "peak_gpu_mem": 3600.0}
}
M
	{
		for m in latency_total latency_per_sample latency_per_batch throughput_samples_per_sec \
			throughput_batches_per_sec cpu_mem_used gpu_mem_used peak_gpu_mem; do
			printf '%s_mean,%s_std,%s_min,%s_max,%s_median,' $m $m $m $m $m
		done
		echo batch_size,num_samples,num_runs
		for b in 1 32; do
			awk -v b=$b -v ms="$2" -v rate="$3" -v gpu="$4" 'BEGIN {
				k = b == 1 ? 1 : 1 / 2.9
				n = split(ms * k / 10 " " ms * k / 1000 " " ms * k * b / 1000 " " rate / k " " rate / k / b " 12.5 " gpu " " gpu * 1.1, v, " ")
				for (i = 1; i <= n; i++) printf "%.8g,%.8g,%.8g,%.8g,%.8g,", v[i], v[i] / 20, v[i] * 0.9, v[i] * 1.1, v[i]
				printf "%d,100,10\n", b }'
		done
	} >"$1/detailed_metrics.csv"
}
results week1 25.34 39.47 1234.56 0.9207
results week2 25.34 39.47 617.28 0.80
results week3 50.68 19.73 1234.56 0.9207
echo "== half the memory, and accuracy lost"
"$TRACEQ" gate week1 week2 --wide
echo "exit $?"
"$TRACEQ" diff week1 week2 -q --wide -n 8
echo "== twice the latency"
"$TRACEQ" gate week1 week3 -q --wide | grep -E '^gate|FAIL'
echo "== a store of weeks"
for w in week1 week1 week1; do
	"$TRACEQ" baseline add store $w --label $w --time 1767225600 -q
	echo "exit $?"
done
"$TRACEQ" baseline add store week1 --time 1767225600
"$TRACEQ" baseline add store week2
echo "exit $?"
"$TRACEQ" gate store week3 -q --wide | grep -E '^gate|FAIL'
"$TRACEQ" noise store -q | head -4
