"$TRACEQ" top -h
