# Without a trace: what is there, and no word about ranks.
"$FIXTURES" artifact train-jsonl >log.jsonl
"$FIXTURES" artifact memory-snapshot >snapshot.pickle
"$FIXTURES" artifact smi >gpu.csv
"$TRACEQ" | sed 's/  *[0-9.]* [KM]*i*B  /  SIZE  /'
