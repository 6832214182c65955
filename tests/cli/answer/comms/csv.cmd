"$FIXTURES" comm-bound --steps 1 >t.json && "$TRACEQ" comms t.json --by kernel --format csv
