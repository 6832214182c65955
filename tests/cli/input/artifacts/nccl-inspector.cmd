"$FIXTURES" artifact nccl-inspector >f
"$TRACEQ" info f 2>&1
"$TRACEQ" metrics f
