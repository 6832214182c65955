"$TRACEQ" help check
"$TRACEQ" check --help | cmp - <("$TRACEQ" help check) && echo same
