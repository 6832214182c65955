# -o v.xml is the JUnit report, -o v.prom the gauges: nothing on stdout, the same exit code.
"$FIXTURES" healthy --steps 8 --seed 1 >base.json
"$FIXTURES" healthy --steps 8 --seed 2 >new.json
"$TRACEQ" gate base.json new.json -q --junit a.xml --openmetrics a.prom >/dev/null
echo "exit $?"
"$TRACEQ" gate base.json new.json -q -o b.xml
echo "exit $?"
"$TRACEQ" gate base.json new.json -q -o b.prom
echo "exit $?"
cmp a.xml b.xml && cmp a.prom b.prom && echo same
"$TRACEQ" gate base.json new.json -q -o c.xml --junit d.xml
"$TRACEQ" gate base.json new.json -q -o c.xml --format md >/dev/null && head -n 1 c.xml
"$TRACEQ" gate base.json missing.json -q -o e.xml
echo "exit $?"
grep -c '<error' e.xml
ls *.xml
