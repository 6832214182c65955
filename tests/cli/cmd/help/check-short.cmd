"$TRACEQ" check -h
