# Kernels against what the device can do: narrow, wide, by op; given peaks; without shapes; in a job.
"$FIXTURES" healthy --steps 2 >t.json
pick() { awk -F'\t' 'NR == 1 { n = split(want, w, ","); for (i = 1; i <= NF; i++) at[$i] = i }
	{ for (i = 1; i <= n; i++) printf "%s%s", $at[w[i]], i < n ? "  " : "\n" }' want="$1" -; }
for width in 80 120; do
	echo "== $width"
	COLUMNS=$width "$TRACEQ" kernels t.json --roof -n 5 | sed -n '/^kernels$/,/^$/p'
done
echo "== by op"
COLUMNS=140 "$TRACEQ" kernels t.json --roof --by op -n 3 -q | sed -n '/^kernels$/,/^$/p'
echo "== tsv"
"$TRACEQ" kernels t.json --roof --format tsv -q -n 6 |
	pick calls,tflop_per_s,roof_ratio,bound,flop,owned_calls,owned_busy_ns,known_ratio,why
echo "== given"
"$TRACEQ" kernels t.json --roof --peak bf16=2P,mem=5T -n 2 -q | sed -n '/^kernels$/,/^$/p'
"$FIXTURES" healthy --steps 2 --no-shapes >u.json
COLUMNS=120 "$TRACEQ" kernels u.json --roof -n 2 | sed -n '/^kernels$/,/^$/p;/^note/,$p'
"$TRACEQ" kernels t.json --peak H200
