# Noise between runs, from folders and from a store; one run has none.
for i in 1 2 3 4 5; do
	mkdir -p runs/run$i
	"$FIXTURES" healthy --steps 8 --seed $i --memory >runs/run$i/trace.json
done
"$TRACEQ" noise runs
echo "exit $?"
"$TRACEQ" noise runs --format csv
"$TRACEQ" baseline add store runs -q
"$TRACEQ" noise store | cmp - <("$TRACEQ" noise runs) && echo "the store says the same"
"$TRACEQ" noise runs/run1/trace.json
echo "exit $?"
rm -r runs/run3 runs/run4 runs/run5
"$TRACEQ" noise runs | sed -n '1,3p'
# The lines are settings that gate takes.
"$TRACEQ" noise store | sed -n '/^gate:/,$p' >traceq.yaml
"$TRACEQ" gate runs/run1 runs/run2 -q | head -3
