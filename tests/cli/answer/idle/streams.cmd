# streams that wait while their device is busy; CSV has a row for each
"$FIXTURES" multi-stream --steps 2 >t.json
"$TRACEQ" idle t.json -n 2
"$TRACEQ" idle t.json --format csv --table streams | sed -n 1,3p
"$TRACEQ" idle t.json --kernel-wait -1
echo "$?"
