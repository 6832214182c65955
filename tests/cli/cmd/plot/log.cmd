# metrics of a log beside samples of nvidia-smi, which have a chart of their own; alone, they are drawn
for i in 1 2 3 4; do echo "{\"loss\": $i.5, \"reward\": $i, \"step\": $i}"; done >log.jsonl
for i in 1 2 3 4; do echo "{\"loss\": $i.25}"; done >rows.jsonl
"$FIXTURES" artifact smi >smi.csv
titles() {
	PATH= "$TRACEQ" plot "$@" -q -o a.svg 2>/dev/null
	awk '/^\$text <</ { end = $3; next }
	     end { if ($0 == end) end = ""; else text["$text[" ++n "]"] = $0; next }
	     / font_title / { print $2, text[$3] }
	     /^set (title|xlabel)/ { print $2, text[$3] }' a.gp
}
echo 'two inputs'; titles metric-series smi.csv log.jsonl
echo 'a folder'; mkdir run; cp log.jsonl smi.csv run; titles metric-series run
echo 'samples alone'; titles metric-series smi.csv
echo 'one key, without steps'; titles metric-series rows.jsonl
"$TRACEQ" report -q smi.csv log.jsonl | sed -n '/^METRICS/,/^$/p'
