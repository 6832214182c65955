"$FIXTURES" artifact ascend-matrix >f
"$TRACEQ" info f 2>&1
"$TRACEQ" metrics f -n 0
