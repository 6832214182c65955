"$FIXTURES" artifact ascend-kernels >f
"$TRACEQ" info f 2>&1
