"$FIXTURES" artifact ascend-comms >f
"$TRACEQ" info f 2>&1
"$TRACEQ" metrics f -n 0
"$TRACEQ" comms f
