# serving: annotations, no ProfilerStep
"$FIXTURES" inference --steps 4 >t.json
"$TRACEQ" stages t.json --format csv -n 4
