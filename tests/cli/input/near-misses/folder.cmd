# What traceq itself has written beside a run is no log of it.
"$FIXTURES" healthy --steps 3 >t.json
mkdir job && cp t.json job/rank0.json
for turn in 1 2; do
	"$TRACEQ" report job -o job/report.html -q
	echo "exit $?"
	"$TRACEQ" report job -o job/report.md -q
	PATH= "$TRACEQ" plot timeline-lanes job -o job/lanes.svg -q
	echo "exit $?"
done
"$TRACEQ" info job --table files --format csv -q | cut -d, -f1-3,5-
