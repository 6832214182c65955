# With --all the figures are those of top, diagnose and summary: every line of theirs that is shown.
"$FIXTURES" copy-bound >t.json
"$TRACEQ" t.json -q --wide --all >all
"$TRACEQ" diagnose t.json -q --wide >diagnose
"$TRACEQ" top t.json -q --wide | head -n 1 >top
"$TRACEQ" summary t.json -q --wide | sed -n '/^top bottlenecks/,/^$/p' >summary
for a in top diagnose summary; do
	grep -vxFf all $a | grep -c . | sed "s/^/$a, lines that are not there: /"
done
