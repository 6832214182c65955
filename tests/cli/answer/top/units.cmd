"$FIXTURES" tiny >t.json
for per in step total call; do "$TRACEQ" top t.json -n 1 --per "$per" --unit us; done
