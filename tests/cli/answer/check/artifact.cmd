# One artifact by itself: whole, cut off, strictly.
"$FIXTURES" artifact op-csv >ops
"$FIXTURES" artifact metrics-jsonl >log
"$FIXTURES" artifact stage-times | head -c 120 >stages
for f in ops log stages; do
	echo "== $f"
	"$TRACEQ" check $f 2>&1
	echo "exit $?"
done
"$TRACEQ" check --strict log
echo "exit $?"
