# Kernels of graph replays are of the ops, and in the phases, of the capture.
"$FIXTURES" graph-serving --steps 1 >t.json && "$FIXTURES" graph-serving --steps 1 --capture >c.json
for given in "" "--capture c.json"; do
	echo "== $given"
	"$TRACEQ" critical t.json --json $given | python3 -c '
import json, sys
t = {t["id"]: t["rows"] for t in json.load(sys.stdin)["tables"]}
for r in t["owners"][:5]:
    print(r["on_path_ns"], r["class"], r["op"])
for r in t["phases"]:
    print(r["on_path_ns"], r["phase"])'
done
