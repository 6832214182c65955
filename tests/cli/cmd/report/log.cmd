# without a trace: what there is, and that the rest is not known
"$FIXTURES" artifact jsonl --rows 200 >log.jsonl
"$FIXTURES" artifact smi >smi.csv
"$FIXTURES" artifact op-csv >ops.csv
"$FIXTURES" artifact sweep-csv >sweep.csv
"$FIXTURES" artifact stage-times >stages.json
for f in log.jsonl smi.csv ops.csv sweep.csv stages.json; do "$TRACEQ" report -q $f; done
