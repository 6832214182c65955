# A cut of kernels alone: its note tells the step, no event stands for it, so it has no name and no thread.
$FIXTURES healthy --steps 6 >t.json
$TRACEQ cut t.json --steps 4 --cat kernel -q -o c.json
$TRACEQ info c.json --json | python3 -c '
import json, sys
for t in json.load(sys.stdin)["tables"]:
    if t["id"] == "steps":
        print(t["rows"])'
