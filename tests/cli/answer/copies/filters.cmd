"$FIXTURES" copy-bound --steps 3 >t.json && "$TRACEQ" copies t.json -f HtoD --steps 4-
