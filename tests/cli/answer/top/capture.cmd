# Ops of a capture: device time and replays, and no CPU time that was not there.
"$FIXTURES" graph-serving --steps 1 >t.json && "$FIXTURES" graph-serving --steps 1 --capture >c.json
"$TRACEQ" top t.json --capture c.json --sort gpu -n 6
echo "== shapes"
"$TRACEQ" top t.json --capture c.json --by shape -n 3 --wide
echo "== phases"
"$TRACEQ" top t.json --capture c.json --by phase
echo "== tree"
"$TRACEQ" top t.json --capture c.json --tree --sort gpu -n 8
echo "== a step, by name"
"$TRACEQ" top t.json --capture c.json --by name --sort gpu --steps 2 -f addmm --format csv
echo "== torch has no captures"
"$TRACEQ" top t.json --capture c.json --format torch -n 3 --sort self_cuda_time_total -q
