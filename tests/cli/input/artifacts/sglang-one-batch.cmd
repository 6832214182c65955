# results of a benchmark
"$FIXTURES" artifact sglang-one-batch >f
"$TRACEQ" info f -n 0 2>&1
