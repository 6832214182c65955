"$FIXTURES" tiny >t.json && "$TRACEQ" critical t.json --list -n 5 --wide
"$TRACEQ" critical t.json --list -n 0 -f mm
