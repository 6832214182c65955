# results of a benchmark
"$FIXTURES" artifact vllm-tables >f
"$TRACEQ" info f -n 0 2>&1
