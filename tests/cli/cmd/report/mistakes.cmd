"$FIXTURES" tiny >t.json
try() { "$TRACEQ" report "$@"; echo "exit $?"; }
try
try nowhere.json
try t.json --style nosuch
try t.json --style run --format seed
try t.json -o t.json
try t.json -o no/such/folder/r.md
# without gnuplot the report is written, the gap marked, and the exit code says so
PATH= try t.json --plots charts -o r.md
grep -c missing r.md
ls charts | sort | head -n 2
