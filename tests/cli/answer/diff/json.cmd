"$FIXTURES" tiny >a.json && "$FIXTURES" tiny --seed 2 >b.json && "$TRACEQ" diff a.json b.json --json
