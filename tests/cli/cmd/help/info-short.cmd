"$TRACEQ" info -h
