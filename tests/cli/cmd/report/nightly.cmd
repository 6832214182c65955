# a history as a document
awk 'BEGIN {
	print "date,commit,step_time_ms"
	for (i = 1; i <= 40; i++)
		printf "2025-%02d-%02d,c%04d,%.3f\n", 9 + int((i - 1) / 28), (i - 1) % 28 + 1, i, (i <= 20 ? 64 : 60) + (i * 7919 % 101) / 200
}' >nightly.csv
"$TRACEQ" report --style nightly nightly.csv
# without a style a table of runs is said to be one, and a store of them is taken for what it is
"$TRACEQ" report nightly.csv 2>&1 | tail -n 1
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do "$FIXTURES" tiny --seed $i >run$i.json && "$TRACEQ" baseline add store.jsonl run$i.json -q >/dev/null; done
"$TRACEQ" report store.jsonl -q | head -n 3
# a folder with nothing but a store is one, too; what it lacks is said
mkdir few many && head -n 3 store.jsonl >few/baseline.jsonl && cp store.jsonl many/baseline.jsonl
"$TRACEQ" report few 2>&1
"$TRACEQ" report many -q | head -n 3
cp run1.json many && "$TRACEQ" report many -q | head -n 3
