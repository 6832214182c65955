"$FIXTURES" artifact aiperf-records >f
"$TRACEQ" info f 2>&1
"$TRACEQ" metrics f
