"$FIXTURES" graphs --steps 2 >t.json && "$TRACEQ" check t.json
