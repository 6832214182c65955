# Runs side by side, never mixed.
"$FIXTURES" healthy --steps 8 >a.json
"$FIXTURES" comm-bound --steps 8 >b.json
"$TRACEQ" diagnose a.json b.json --rules G01,G13
