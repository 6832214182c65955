# Runs side by side, never mixed.
"$FIXTURES" healthy --steps 8 >a.json
"$FIXTURES" comm-bound --steps 8 >b.json
"$TRACEQ" diagnose a.json b.json --rules G01,G13
"$TRACEQ" diagnose a.json b.json --rules G01,G13 --per-run
"$TRACEQ" diagnose a.json b.json --exit-code --format csv -q
echo "exit $?"
