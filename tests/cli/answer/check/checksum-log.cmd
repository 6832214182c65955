# A compressed log whose checksum alone is wrong is all there: it is not said to end too early.
printf '{"step": 1, "loss": 0.5}\n{"step": 2, "loss": 0.4}\n' | gzip -n >whole.jsonl.gz
{ head -c -8 whole.jsonl.gz; printf 'abcd'; tail -c 4 whole.jsonl.gz; } >wrong.jsonl.gz
"$TRACEQ" check wrong.jsonl.gz -q 2>/dev/null | grep -A2 '^why'
"$TRACEQ" check wrong.jsonl.gz -q --strict 2>&1 | head -n 1
head -c -12 whole.jsonl.gz >cut.jsonl.gz
"$TRACEQ" check cut.jsonl.gz -q 2>/dev/null | grep -A2 '^why'
