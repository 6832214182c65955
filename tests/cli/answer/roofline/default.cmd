"$FIXTURES" healthy --steps 2 >t.json && "$TRACEQ" roofline t.json -n 6
