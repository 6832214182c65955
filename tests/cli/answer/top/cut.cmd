# A killed job: analyzed up to the cut, said aloud; --strict refuses.
"$FIXTURES" healthy --steps 2 --damage gz-cut >t.json.gz
"$TRACEQ" top t.json.gz -n 1
"$TRACEQ" top t.json.gz -n 1 --strict
echo "exit $?"
