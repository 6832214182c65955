# results of a benchmark
"$FIXTURES" artifact vllm-serve >f
"$TRACEQ" info f -n 0 2>&1
