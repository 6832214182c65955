"$FIXTURES" tiny >t.json && "$TRACEQ" roofline t.json --json
