# A trace without steps, in each format: what marks them is said in the words of the profiler that wrote it; only PyTorch's
# users read of profiler.step(), and nobody of ProfilerStep#N.
python3 - <<'END'
import json
ev = [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 0, "dur": 5, "args": {"External id": 1}},
      {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "args": {"correlation": 1, "External id": 1}}]
k = {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 100, "args": {"device": 0, "stream": 7, "correlation": 1}}
json.dump({"schemaVersion": 1, "traceEvents": ev + [k]}, open("t.json", "w"))
json.dump({"schemaVersion": 1, "traceEvents": ev}, open("host.json", "w"))
END
for format in pftrace nsys rocpd xplane; do
	"$FIXTURES" transcode $format t.json -o t.$format
done
for t in t.json t.pftrace t.nsys t.rocpd t.xplane; do
	echo "== $t"
	for answer in steps top; do
		COLUMNS=300 "$TRACEQ" $answer $t --json -q | python3 -c '
import json, sys
for n in json.load(sys.stdin)["notes"]:
    if n["id"] in ("no_steps", "no_stages", "no_shapes", "no_device_events"):
        print(n["id"] + ":", n["text"])'
	done
	"$TRACEQ" top $t --steps 3 2>&1 >/dev/null | tail -1
	"$TRACEQ" timeline $t --at 3 2>&1 >/dev/null | tail -1
	"$TRACEQ" batch $t $t 2>&1 | grep -o 'left out: no steps.*' | head -1
	"$TRACEQ" top t.json --capture $t 2>&1 >/dev/null | tail -2
done
echo "== nothing of a device"
for format in json nsys rocpd; do
	[ $format = json ] || "$FIXTURES" transcode $format host.json -o host.$format
	"$TRACEQ" top host.$format --json -q | grep -o 'no GPU kernel events ([^"]*'
done
