"$FIXTURES" tiny >t.json && "$TRACEQ" top t.json --json
