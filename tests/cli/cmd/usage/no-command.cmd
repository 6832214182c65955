# Without arguments: short help on stderr, nothing on stdout.
"$TRACEQ"
