"$FIXTURES" healthy --steps 2 >t.json && "$TRACEQ" kernels t.json -n 5
