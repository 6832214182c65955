# results of a benchmark
"$FIXTURES" artifact sglang-serving >f
"$TRACEQ" info f -n 0 2>&1
