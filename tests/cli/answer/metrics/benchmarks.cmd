# Results of inference benchmarks: figures of one result, of repeats, of several settings.
for n in vllm-serve vllm-latency vllm-nightly sglang-serving; do
	"$FIXTURES" artifact "$n" >"$n"
	echo "# $n"
	"$TRACEQ" metrics "$n" -q --wide
done
echo "# a request that failed is said"
"$TRACEQ" metrics vllm-serve 2>&1 >/dev/null
