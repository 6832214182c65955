# Without a trace: what is there, and no word about ranks.
"$FIXTURES" artifact train-jsonl >log.jsonl
"$FIXTURES" artifact memory-snapshot >snapshot.pickle
"$FIXTURES" artifact smi >gpu.csv
"$TRACEQ" | sed 's/  *[0-9.]* [KM]*i*B  /  SIZE  /'
mkdir store other
"$FIXTURES" tiny >run.json
"$TRACEQ" baseline add store run.json -q
head -c 300 run.json | gzip -c | head -c 100 >other/cut.json.gz
printf '{"traceEvents": 7}' >other/odd.json
(cd store && "$TRACEQ")
(cd other && "$TRACEQ" | head -n 4) 2>/dev/null
