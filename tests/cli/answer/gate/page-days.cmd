# The page of a verdict says on which days its runs were recorded: of traces, and of a history.
"$FIXTURES" healthy --steps 4 >base.json
"$FIXTURES" healthy --steps 4 --seed 2 >new.json
"$TRACEQ" gate base.json new.json --html page.html -q >/dev/null
grep -o '<dt>[a-z ]*recorded</dt><dd>[^<]*' page.html
{
	echo date,commit,step_time_ms
	for i in 10 11 12 13 14 15 16 17 18 19 20 21; do echo "2025-09-$i,c$i,6$((i % 2)).5"; done
} >runs.csv
"$TRACEQ" gate --history runs.csv --html runs.html -q >/dev/null
grep -o '<dt>[a-z ]*recorded</dt><dd>[^<]*' runs.html
