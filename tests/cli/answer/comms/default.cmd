"$FIXTURES" comm-bound --steps 2 >t.json && "$TRACEQ" comms t.json
