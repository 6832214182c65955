# CSV is one table, the main one, and says so; --table names another, a folder gets all of them.
"$FIXTURES" tiny >t.json && "$TRACEQ" top t.json --format csv
"$TRACEQ" top t.json --format csv --table ops -q
"$TRACEQ" top t.json t.json --format tsv --table totals -q | cut -f 1-4
"$TRACEQ" top t.json --format csv -o all/ && wc -l all/* && cmp all/ops.csv <("$TRACEQ" top t.json --table ops -o - --format csv)
"$TRACEQ" top t.json --table ops -n 2
"$TRACEQ" top t.json --table ops --json | grep -o '"id": "[a-z]*"'
refuse() {
	"$TRACEQ" top t.json "$@" 2>&1 | head -n 2
	echo "exit ${PIPESTATUS[0]}"
}
refuse --table opps
refuse --table tree --format csv
refuse -o all/ --json
refuse -o ./ --format csv
refuse -o t.json/ --format csv
