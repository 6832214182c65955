"$TRACEQ" help top
"$TRACEQ" top --help | cmp - <("$TRACEQ" help top) && echo same
