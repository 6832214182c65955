# Kernels of graph replays by the op that launched them when the graph was captured.
"$FIXTURES" graph-serving --steps 1 >t.json && "$FIXTURES" graph-serving --steps 1 --capture >c.json
"$TRACEQ" kernels t.json --by op -n 5 --wide
echo "== with the capture"
"$TRACEQ" kernels t.json --by op -n 5 --wide --capture c.json
