# Two steps of five operators, by hand; times in us from the start of a step of 400:
#
#	thread    A(5) B(15) C(25) D(35) E(45)   [60 cudaDeviceSynchronize 295)
#	stream    kA [20 120) kB [120 200) kC [200 250) kD [250 280) kE [280 290)
#
# A and B read x and write a and b; C reads both and writes c; D reads a view of c; E is in no execution trace.
# On the path behind other work: kC 50 and kD 30 need its data, kB 80 only follows, kE 10 is not known. Were kB
# on a stream of its own it would run from 30 to 110 and all behind it 80 earlier, in either step.
# kA of step 2 is not on the path behind other work; it reads x of before, so kE before it is not known: 100.
python3 - <<'END'
import json
OPS = [("aten::mm", "kA", 5, 20, 120), ("aten::mm", "kB", 15, 120, 200), ("aten::add", "kC", 25, 200, 250),
       ("aten::relu", "kD", 35, 250, 280), ("own::op", "kE", 45, 280, 290)]
ev, rf = [], 100

def event(cat, name, ts, end, tid=1, **args):
    ev.append({"ph": "X", "cat": cat, "name": name, "pid": 1 if tid == 1 else 0, "tid": tid, "ts": ts, "dur": end - ts,
               "args": args})

for step in (0, 1):
    at = 400 * step
    event("user_annotation", f"ProfilerStep#{step + 1}", at, at + 400)
    for i, (op, kernel, launch, start, end) in enumerate(OPS):
        rf += 1
        event("cpu_op", op, at + launch - 1, at + launch + 5, **{"Record function id": rf})
        if op == "aten::relu":
            rf += 1
            event("cpu_op", "aten::t", at + launch - 1, at + launch, **{"Record function id": rf})
        event("cuda_runtime", "cudaLaunchKernel", at + launch, at + launch + 2, correlation=rf)
        event("kernel", kernel, at + start, at + end, tid=7, device=0, stream=7, correlation=rf)
    event("cuda_runtime", "cudaDeviceSynchronize", at + 60, at + 295, correlation=1000 + step)
json.dump({"schemaVersion": 1, "traceEvents": ev}, open("ids.json", "w"))
for e in ev:
    e["args"].pop("Record function id", None)
json.dump({"schemaVersion": 1, "traceEvents": ev}, open("t.json", "w"))

def tensor(storage, dev="cuda:0"):
    return [storage + 50, storage, 0, 64, 4, dev]

MM = "aten::mm(Tensor self, Tensor mat2) -> Tensor"
ADD = "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
CALLS = [(3, 2, 101, "aten::mm", MM, [1, 2], [4]), (4, 2, 102, "aten::mm", MM, [1, 3], [5]),
         (5, 2, 103, "aten::add", ADD, [4, 5], [6]), (6, 2, 104, "aten::relu", "aten::relu(Tensor self) -> Tensor", [6], [7]),
         (7, 6, 105, "aten::t", "aten::t(Tensor(a) self) -> Tensor(a)", [6], [6])]
roots = [(1, 1, "process"), (2, 1, "thread")]
old = [{"name": f"[pytorch|profiler|execution_graph|{n}]", "id": i, "rf_id": 0, "parent": p, "tid": 1, "op_schema": "",
        "inputs": [], "outputs": []} for i, p, n in roots]
new = [{"name": f"[pytorch|profiler|execution_trace|{n}]", "id": i, "ctrl_deps": p,
        "inputs": {"values": [], "shapes": [], "types": [], "strides": []},
        "outputs": {"values": [], "shapes": [], "types": [], "strides": []},
        "attrs": [{"name": "rf_id", "type": "uint64", "value": 0}, {"name": "tid", "type": "uint64", "value": 1}]}
       for i, p, n in roots]

def values(v):
    return {"values": [tensor(s) for s in v], "shapes": [[8, 8]] * len(v), "types": ["Tensor(float)"] * len(v),
            "strides": [[8, 1]] * len(v)}

for i, parent, rf, name, schema, takes, gives in CALLS:
    old.append({"name": name, "id": i, "rf_id": rf, "parent": parent, "fw_parent": 0, "tid": 1, "op_schema": schema,
                "inputs": [tensor(s) for s in takes], "outputs": [tensor(s) for s in gives]})
    new.append({"id": i, "name": name, "ctrl_deps": parent, "inputs": values(takes), "outputs": values(gives),
                "attrs": [{"name": "rf_id", "type": "uint64", "value": rf}, {"name": "tid", "type": "uint64", "value": 1},
                          {"name": "op_schema", "type": "string", "value": schema}]})
json.dump({"schema": "1.0.1", "nodes": old[::-1]}, open("old.json", "w"))
json.dump({"schema": "1.1.1-chakra.0.0.4", "nodes": new}, open("new.json", "w"))
json.dump({"schema": "1.0.1", "nodes": [dict(n, name=n["name"].replace("aten", "mine")) for n in old]}, open("other.json", "w"))
json.dump({"schema": "1.0.1", "nodes": old[:2]}, open("empty.json", "w"))
END
"$TRACEQ" critical t.json --et old.json | sed -n '/behind other/,/how it is known/p;/^note/p'
"$TRACEQ" critical t.json --et old.json -n 2 | sed -n '/the same by op/,/how it is known/p'
for pair in "t.json old.json" "t.json new.json" "ids.json new.json" "ids.json old.json" "t.json other.json"; do
	echo "== $pair"
	"$TRACEQ" critical ${pair% *} --et ${pair#* } --json | python3 -c '
import json, sys
d = json.load(sys.stdin)
t = {t["id"]: t["rows"] for t in d["tables"]}
for r in t.get("data", []):
    print(r["class"], r["on_path_ns"], r["path_calls"], r["total_ns"], r["calls"], r["saves_ns"])
for r in t.get("data_ops", []):
    print("   ", r["class"], r["on_path_ns"], r["calls"], r["op"])
for n in d["notes"]:
    if n["id"].startswith(("et_", "data")):
        print(n["text"])'
done
for et in t.json empty.json none.json; do
	"$TRACEQ" critical t.json --et $et
	echo "exit $?"
done
head -c 900 old.json >cut.json
"$TRACEQ" critical t.json --et cut.json
echo "exit $?"
"$TRACEQ" top old.json
echo "exit $?"
