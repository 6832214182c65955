"$FIXTURES" healthy --steps 3 >t.json && "$TRACEQ" top t.json -n 4
