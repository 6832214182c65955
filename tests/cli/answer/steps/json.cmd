"$FIXTURES" tiny >t.json && "$TRACEQ" steps t.json --json
