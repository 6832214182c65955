# What is there of a trace that ends too early is cut and merged, and stderr says that it does.
"$FIXTURES" tiny --gzip >t.json.gz
head -c 1500 t.json.gz >cut-off.json.gz
"$TRACEQ" cut cut-off.json.gz --no-args -o o.json >out
echo "exit $?"
"$TRACEQ" merge cut-off.json.gz t.json.gz -o m.json >out
echo "exit $?"
"$TRACEQ" cut cut-off.json.gz -q -o o.json
echo "exit $?"
"$TRACEQ" cut cut-off.json.gz --strict -o no.json
echo "exit $?"
ls
