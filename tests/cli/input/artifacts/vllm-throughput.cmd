# results of a benchmark
"$FIXTURES" artifact vllm-throughput >f
"$TRACEQ" info f -n 0 2>&1
