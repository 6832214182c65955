"$FIXTURES" healthy --steps 8 >x.json && "$TRACEQ" diff x.json x.json -n 2 --exit-code
