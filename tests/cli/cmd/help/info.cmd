"$TRACEQ" help info
"$TRACEQ" info --help | cmp - <("$TRACEQ" help info) && echo same
