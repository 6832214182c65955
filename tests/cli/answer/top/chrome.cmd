"$FIXTURES" healthy --steps 1 --layout chrome >t.json && "$TRACEQ" top t.json -n 3
