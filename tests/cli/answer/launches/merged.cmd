# Two ranks in one file, as a naive merge leaves them: both count their calls from the same number.
# On devices of their own, and on one device with streams of their own: no kernel is another's, and
# none was launched by a graph.
"$FIXTURES" multi-rank --steps 2 --rank 0 --world 2 >a.json
"$FIXTURES" multi-rank --steps 2 --rank 1 --world 2 >b.json
python3 - <<'P'
import json

a, b = (json.load(open(f)) for f in ("a.json", "b.json"))
for name, shift in (("devices", 0), ("streams", 100)):
    events = []
    for e in json.loads(json.dumps(b["traceEvents"])):
        if shift and "stream" in e.get("args", {}):
            e["args"].update(device=0, stream=e["args"]["stream"] + shift)
            e.update(pid=0, tid=e["args"]["stream"])
        events.append(e)
    json.dump({**a, "traceEvents": a["traceEvents"] + events}, open(name + ".json", "w"))
P
for f in a b devices streams; do
	"$TRACEQ" launches $f.json --json -q | python3 -c '
import json, sys
r = json.load(sys.stdin)["tables"][0]["rows"][0]
print({k: r[k] for k in ("linked", "graph", "launches", "before_launch", "long_delays")})'
done
