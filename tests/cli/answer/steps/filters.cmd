"$FIXTURES" multi-gpu --steps 3 >t.json
"$TRACEQ" steps t.json
"$TRACEQ" steps t.json --device 1 --steps 4-
"$TRACEQ" steps t.json --cat cpu_op
"$TRACEQ" steps t.json --device 7
"$TRACEQ" steps t.json --steps 99
echo "exit $?"
