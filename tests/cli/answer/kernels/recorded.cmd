# Kernels that a profiler measured, without a trace: launches summed up, shares weighted by time.
"$FIXTURES" artifact ncu-raw >raw.csv
"$FIXTURES" artifact ncu-details >details.csv
"$TRACEQ" kernels raw.csv
"$TRACEQ" kernels details.csv -q --json >details.json
"$TRACEQ" kernels raw.csv -q --json | sed 's/raw.csv/details.csv/' | grep '"name": "[vc]' >a
grep '"name": "[vc]' details.json | cmp - a && echo "both pages say the same"
echo "== order, limit, filter"
"$TRACEQ" kernels raw.csv -q --sort name --format csv | cut -d, -f1
"$TRACEQ" kernels raw.csv -q -n 1
"$TRACEQ" kernels raw.csv -q -f copy
echo "== operations of it"
"$TRACEQ" top raw.csv -q
echo "== a change is one: the copy takes twice as long"
sed 's/"25.00"/"50.00"/' raw.csv >slow.csv
"$TRACEQ" gate raw.csv slow.csv -q | grep -v ^pass
echo "== what it cannot say"
"$TRACEQ" kernels raw.csv --by op
echo "exit $?"
"$TRACEQ" roofline raw.csv
echo "exit $?"
"$FIXTURES" artifact smi >smi.csv
"$TRACEQ" kernels smi.csv
echo "exit $?"
