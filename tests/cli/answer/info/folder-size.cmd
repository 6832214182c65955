# The size of a folder's trace is the trace's, whatever is read behind it.
mkdir run
"$FIXTURES" tiny --gzip >run/a.json.gz
"$FIXTURES" artifact smi >run/z.csv
size=$(stat -c %s run/a.json.gz)
"$TRACEQ" info run --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
table = next(t for t in answer["tables"] if t["id"] == "trace")
print(table["rows"][0]["file_bytes"] == int(sys.argv[1]), table["rows"][0]["container"])' "$size"
