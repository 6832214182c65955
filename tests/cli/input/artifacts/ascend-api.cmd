"$FIXTURES" artifact ascend-api >f
"$TRACEQ" info f 2>&1
