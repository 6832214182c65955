"$FIXTURES" tiny >t.json && "$TRACEQ" top t.json --tree -n 0
