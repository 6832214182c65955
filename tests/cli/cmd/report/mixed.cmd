# A trace beside files that are none, whichever is first: the inputs are listed, none is left out.
"$FIXTURES" tiny >t.json
"$FIXTURES" artifact metrics-jsonl >metrics.jsonl
"$FIXTURES" artifact op-csv >ops.csv
"$TRACEQ" report -q t.json metrics.jsonl | sed -n '/^ANSWER/,/^WHERE/p'
"$TRACEQ" report -q ops.csv t.json metrics.jsonl | sed -n '/^ANSWER/,/^WHERE/p' | head -n 12
