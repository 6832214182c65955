# To a pipe: the trace alone; whoever reads no further is no error; other formats where they are said.
"$TRACEQ" cut "$T/drawn.json" --steps 1 >a.json
"$TRACEQ" cut "$T/drawn.json" --steps 1 -o - | cmp - a.json && echo same
"$TRACEQ" cut "$T/drawn.json" --steps 1 -o b.json -q && cmp a.json b.json && echo same
"$TRACEQ" cut - --steps 1 -o - <"$T/drawn.json" | cmp - a.json && echo same
"$TRACEQ" cut "$T/drawn.json" -o - | head -n 2
"$TRACEQ" cut "$T/drawn.json" --steps 1 -o - --to pftrace | "$TRACEQ" top - -q --format csv >p.csv
"$TRACEQ" top a.json -q --format csv >j.csv
cmp p.csv j.csv && echo "the same figures"
ls
