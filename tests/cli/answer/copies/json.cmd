"$FIXTURES" copy-bound --steps 2 >t.json && "$TRACEQ" copies t.json --json
