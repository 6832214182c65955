"$FIXTURES" tiny >t.json && "$TRACEQ" info t.json --json
