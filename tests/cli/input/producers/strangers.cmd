# Traces of others: GPU work is known by the names of processes (rocprof, Neuron, Habana) and by Intel's gpu_op; where no
# category, process or name says what slices are, nothing is concluded, and no advice is PyTorch's.
cat >make.py <<'END'
import json

def put(name, events, **doc):
    json.dump({"traceEvents": events, **doc}, open(name, "w"))

def process(pid, name):
    return {"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}}

def slice(pid, tid, name, ts, dur, **more):
    return {"ph": "X", "pid": pid, "tid": tid, "name": name, "ts": ts, "dur": dur, **more}

# rocprof 1 writes its numbers as texts. Busy 2 x 3 of 8 ms: [1, 4) computing, [4, 5) a copy, [6, 9) computing.
put("rocprof.json", [{}, process("2", "CPU HIP API"), process("1", "COPY"), process("6", "GPU0"),
    slice("2", "77", "hipLaunchKernel", "1000", "20"), slice("6", "1", "vector_add(float*)", "1000", "3000"),
    slice("1", "0", "CopyDeviceToHost", "4000", "1000"), slice("2", "77", "hipMemcpy", "3000", "2000"),
    slice("2", "77", "hipLaunchKernel", "5900", "20"), slice("6", "1", "vector_add(float*)", "6000", "3000")], otherData={})
put("unitrace.json", [e for i in range(4) for e in (
    slice(10, 10, "zeCommandListAppendLaunchKernel", 100 * i, 10, cat="cpu_op"),
    slice(99, 7, "gemm_kernel[SIMD16 {32; 8; 1} {16; 1; 1}]", 100 * i + 20, 60, cat="gpu_op"),
    slice(99, 7, "zeCommandListAppendMemoryCopy(D2M)[4096 bytes]", 100 * i + 80, 10, cat="gpu_op"))])
put("neuron.json", [process(1, "NeuronCore 2"), process(2, "python")] + [
    slice(1, 1, "matmult", 100 * i, 60) for i in range(4)] + [slice(2, 2, "nrt_execute", 100 * i, 5) for i in range(4)])
put("habana.json", [process(1, "HPU 0")] + [slice(1, 1, "gemm", 100 * i, 60) for i in range(4)])
put("ray.json", [slice("node:1", f"worker:{i % 4}", "train_step", 1000 * i, 800, cat="task:execute") for i in range(40)])
put("jobs.json", [slice("cluster", "queue", f"job {i % 3}", 1000 * i, 900) for i in range(12)])
put("launches.json", [slice(1, 1, "cudaLaunchKernel", 100 * i, 10, cat="cuda_runtime", args={"correlation": i + 1}) for i in range(5)],
    schemaVersion=1)
END
python3 make.py
for t in rocprof unitrace neuron habana ray jobs; do
	echo "== $t"
	"$TRACEQ" info $t.json | grep -E '^(producer|GPU work|runtime calls|other slices)'
	"$TRACEQ" diagnose $t.json | sed '/^ *rule  about/,/^.traceq explain/d'
	"$TRACEQ" check $t.json | grep -E '^(reliable|why|warning|bad )'
	"$TRACEQ" $t.json 2>&1 | grep -iE 'activities|profiler[.]step|record_function'
done
echo "== calls that launch, and nothing that was launched"
"$TRACEQ" diagnose launches.json | grep -A 2 verdict
"$TRACEQ" check launches.json
