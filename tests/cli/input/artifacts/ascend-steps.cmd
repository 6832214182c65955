"$FIXTURES" artifact ascend-steps >f
"$TRACEQ" info f 2>&1
