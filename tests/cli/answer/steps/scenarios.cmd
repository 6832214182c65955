"$FIXTURES" comm-bound --steps 7 >t.json && "$TRACEQ" steps t.json --roles
"$FIXTURES" inference --steps 8 >t.json && "$TRACEQ" steps t.json -n 4
