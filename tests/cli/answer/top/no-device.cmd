"$FIXTURES" cpu-only --steps 1 >t.json && "$TRACEQ" top t.json -n 2
