"$FIXTURES" inference --steps 2 >t.json && "$TRACEQ" top t.json -n 2
