"$FIXTURES" gpu-only --steps 1 >t.json && "$TRACEQ" top t.json -n 2
