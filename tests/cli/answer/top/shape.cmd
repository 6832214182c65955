# Ops by shape against what the device can do: the new columns are the first that go.
"$FIXTURES" healthy --steps 2 >t.json
pick() { awk -F'\t' 'NR == 1 { n = split(want, w, ","); for (i = 1; i <= NF; i++) at[$i] = i }
	{ for (i = 1; i <= n; i++) printf "%s%s", $at[w[i]], i < n ? "  " : "\n" }' want="$1" -; }
for width in 80 120 160; do
	echo "== $width"
	COLUMNS=$width "$TRACEQ" top t.json --by shape -n 4 | sed -n '/^CPU ops$/,$p'
done
echo "== tsv"
"$TRACEQ" top t.json --by shape --format tsv -q -n 6 |
	pick calls,tflop_per_s,roof_ratio,bound,flop,owned_busy_ns,known_ratio,why,input_shapes,name
echo "== given"
COLUMNS=160 "$TRACEQ" top t.json --by shape -n 2 -q --peak bf16=2P,mem=5T | sed -n '/^CPU ops$/,$p'
"$FIXTURES" healthy --steps 2 --no-shapes >u.json
COLUMNS=120 "$TRACEQ" top u.json --by shape -n 2
"$TRACEQ" top t.json --peak H200
