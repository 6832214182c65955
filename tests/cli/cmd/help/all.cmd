"$TRACEQ" --help
"$TRACEQ" help | cmp - <("$TRACEQ" --help) && echo same
