"$TRACEQ" top - </dev/null
