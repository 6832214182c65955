# By hand: gaps of 200 us, 1 ms and 2.8 ms; devices busy for 0.8 of 2 ms and 1.4 of 4.2 ms; figures stay.
mkdir a b
cp "$T/drawn.json" a/t.json
"$TRACEQ" cut a/t.json -q -o b/t.json --annotate critical,idle,findings,steps
grep '"cat": "traceq"' b/t.json
for a in top idle critical kernels steps; do
	(cd a && "$TRACEQ" $a t.json -q --format csv) >a.csv
	(cd b && "$TRACEQ" $a t.json -q --format csv) >b.csv
	cmp a.csv b.csv && echo "$a: the same"
done
"$TRACEQ" check b/t.json -q | grep -i 'traceq wrote'
"$TRACEQ" cut a/t.json -o c.json --around step:1 --margin 1ns --annotate idle -q && grep -o '"idle [^"]*"' c.json
"$TRACEQ" cut a/t.json -o c.json --annotate idle,kernels
