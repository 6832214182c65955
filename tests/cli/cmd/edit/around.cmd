# The gap is 2.8 ms from the end of k3 to k4, so the margin 0.28 ms: k5 is kept as its call lies in it.
cut() { "$TRACEQ" cut "$T/drawn.json" -o o.json "$@" && grep -o '"name":"[ka][^"]*"' o.json | tr '\n' ' '; echo; }
cut --around gap:0@2400000
cut --around gap:0@3ms --margin 500us
cut --around k1@200us+400us --margin 1us
cut --around step:1
"$TRACEQ" cut "$T/drawn.json" -q -o o.json --around gap:0@2400000
"$TRACEQ" idle o.json -q --wide | grep gap:
"$TRACEQ" idle "$T/drawn.json" -q --wide | grep gap:
