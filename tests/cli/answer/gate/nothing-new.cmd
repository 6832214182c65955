# A base may be missing where that is allowed; the run that is to be judged may not.
"$FIXTURES" tiny >new.json
for new in nowhere.json new.json; do
	for how in warn pass; do
		"$TRACEQ" gate --missing-baseline $how nostore $new | head -n 1
		echo "exit ${PIPESTATUS[0]} $new $how"
	done
done
