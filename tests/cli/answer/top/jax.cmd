"$FIXTURES" healthy --steps 1 --layout jax >t.json && "$TRACEQ" top t.json -n 3
