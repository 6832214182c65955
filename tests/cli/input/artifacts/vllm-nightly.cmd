# results of a benchmark
"$FIXTURES" artifact vllm-nightly >f
"$TRACEQ" info f -n 0 2>&1
