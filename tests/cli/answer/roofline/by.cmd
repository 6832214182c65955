"$FIXTURES" healthy --steps 2 >t.json
for by in shape op module phase; do
	echo "== $by"
	COLUMNS=140 "$TRACEQ" roofline t.json --by "$by" -n 4 --sort above
done
