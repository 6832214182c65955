"$FIXTURES" dataloader-bound --steps 2 >t.json
for by in name shape kernel category stream phase; do
	echo "== $by"
	"$TRACEQ" top t.json --by "$by" -n 3
done
