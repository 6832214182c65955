# Execution traces that nobody named. A trace of process 11 or 12, rank 0 or 1: two steps of aten::mm and aten::add, kA [20 120)
# and kB [120 190) of one stream. kB needs what kA wrote: 140 us of 400, in each folder where an execution trace is taken.
# Ranks count their calls from the same number, so that numbers tell none apart; process and name do.
cat >make.py <<'END'
import json, os, sys

def trace(path, pid, rank=None, ids=True):
    ev = [{"ph": "M", "name": "process_name", "pid": pid, "args": {"name": "python"}}]

    def event(cat, name, ts, end, tid, **args):
        ev.append({"ph": "X", "cat": cat, "name": name, "pid": pid if tid == pid else 0, "tid": tid, "ts": ts, "dur": end - ts,
                   "args": args})

    for step in (0, 1):
        at, rf = 200 * step, 10 * step + 1
        event("user_annotation", f"ProfilerStep#{step + 1}", at, at + 200, pid)
        for i, (op, kernel, begin, end) in enumerate([("aten::mm", "kA", 20, 120), ("aten::add", "kB", 120, 190)]):
            event("cpu_op", op, at + 4 + 10 * i, at + 10 + 10 * i, pid, **({"Record function id": rf + i} if ids else {}))
            event("cuda_runtime", "cudaLaunchKernel", at + 5 + 10 * i, at + 7 + 10 * i, pid, correlation=rf + i)
            event("kernel", kernel, at + begin, at + end, 7, device=0, stream=7, correlation=rf + i)
        event("cuda_runtime", "cudaDeviceSynchronize", at + 30, at + 195, pid, correlation=100 + step)
    doc = {"schemaVersion": 1, "traceEvents": ev}
    if rank is not None:
        doc["distributedInfo"] = {"backend": "nccl", "rank": rank, "world_size": 2}
    put(path, doc)

def et(path, pid=None, ops=("aten::mm", "aten::add")):
    schema = {"aten::mm": "aten::mm(Tensor self, Tensor mat2) -> Tensor",
              "aten::add": "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"}
    tensor = lambda s: [s + 50, s, 0, 64, 4, "cuda:0"]
    node = lambda i, parent, rf, name, takes=(), gives=(): {
        "name": name, "id": i, "rf_id": rf, "parent": parent, "tid": 1, "op_schema": schema.get(name, ""),
        "inputs": [tensor(s) for s in takes], "outputs": [tensor(s) for s in gives]}
    nodes = [node(1, 1, 0, "[pytorch|profiler|execution_graph|process]"), node(2, 1, 0, "[pytorch|profiler|execution_graph|thread]"),
             node(3, 2, 1, ops[0], [1, 2], [4]), node(4, 2, 2, ops[1], [4, 3], [5])]
    put(path, {"schema": "1.0.1", **({"pid": pid} if pid else {}), "nodes": nodes})

def put(path, doc):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    json.dump(doc, open(path, "w"))

trace("one/t.json", 11); et("one/t_et.json", 11)
trace("alike/t.json", 11); et("alike/a.json"); et("alike/b.json")
trace("process/t.json", 11); et("process/et.json", 13)
trace("work/t.json", 11); et("work/et.json", ops=("aten::sum", "own::op")); et("work/et2.json", ops=("aten::sum", "own::op"))
trace("ranks/rank0/t.json", 11, 0); trace("ranks/rank1/t.json", 12, 1)
et("ranks/et/a_et.json", 12); et("ranks/et/b_et.json", 11)
trace("named/rank0.json", 11, 0); trace("named/rank1.json", 11, 1)
et("named/et_rank0.json"); et("named/et_rank2.json")
trace("places/run_1/t.json", 11); trace("places/run_2/t.json", 11); et("places/run_1/x.json"); et("places/run_2/x.json")
trace("noids/t.json", 11, ids=False); et("noids/t_et.json", 11)
trace("broken/t.json", 11); et("broken/t_et.json", 11)
text = open("broken/t_et.json").read()
open("broken/t_et.json", "w").write(text[:300])
trace("lure/t.json", 11); put("lure/et.json", {"nodes": 5}); put("lure/my_et.json", {"greeting": "hello"})
END
python3 make.py
cat >tell.py <<'END'
import json, sys
for head, path in zip(sys.argv[1::2], sys.argv[2::2]):
    if head:
        print("==", head)
    d = json.load(open(path))
    for t in d["tables"]:
        if t["id"] == "data":
            for r in t["rows"]:
                print("  ", r.get("input", 0), r["class"], r["on_path_ns"])
    for n in d["notes"]:
        if n["id"].startswith("et_") or n["id"] in ("left_out", "not_looked_at", "unreadable") or "json" in n["text"]:
            print("  ", n["level"], n["id"], n.get("input"), n["text"])
END
mkdir said
asked=()
for path in one one/t.json alike alike/t.json "alike/t.json --et alike/a.json" "alike/t.json --et alike/a.json --et alike/b.json" \
	process process/t.json work work/t.json "process/t.json --et process/et.json" ranks ranks/rank0/t.json \
	"ranks/rank1/t.json --et ranks/et/a_et.json --et ranks/et/b_et.json" named named/rank0.json named/rank1.json \
	places noids broken broken/t.json lure lure/t.json; do
	asked+=("$path" said/${#asked[@]})
	"$TRACEQ" critical $path --per-run --json >${asked[-1]}
done
asked+=("" said/inside)
(cd one && "$TRACEQ" critical t.json --json) >said/inside
tar cf one.tar one
asked+=("an archive" said/archive)
"$TRACEQ" critical one.tar --json >said/archive
python3 tell.py "${asked[@]}"
echo "== a report and a chart"
for et in one "alike --et alike/b.json"; do
	"$TRACEQ" report $et -o r.md -q && grep -A 6 'work behind other' r.md
	"$TRACEQ" plot critical-data $et -q -o c.svg >/dev/null 2>&1
	grep -v '^#' c.dat
done
"$TRACEQ" plot critical-data alike -q -o c.svg
"$TRACEQ" check one | grep 'execution'
