"$FIXTURES" tiny >a.json && "$FIXTURES" copy-bound --steps 1 >b.json &&
	"$TRACEQ" diff a.json b.json --format csv -n 3 -q --table ops
"$TRACEQ" diff a.json b.json --format csv -q --table ledger
