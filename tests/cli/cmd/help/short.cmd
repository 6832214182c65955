"$TRACEQ" -h
