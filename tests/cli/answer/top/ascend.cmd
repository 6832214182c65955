"$FIXTURES" healthy --steps 1 --layout ascend >t.json && "$TRACEQ" top t.json -n 3
