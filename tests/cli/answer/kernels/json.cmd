"$FIXTURES" tiny >t.json && "$TRACEQ" kernels t.json --json
