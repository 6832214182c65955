"$FIXTURES" tiny >t.json && "$TRACEQ" summary t.json --json
