# results of a benchmark
"$FIXTURES" artifact vllm-latency >f
"$TRACEQ" info f -n 0 2>&1
