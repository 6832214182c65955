# the memory that is needed is the GPU's, however the trace orders its devices: of several the largest (S4-Q4)
cat >trace.json <<'JSON'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 0, "dur": 100, "args": {"External id": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 20, "dur": 5, "args": {"correlation": 1, "External id": 1}},
{"ph": "X", "cat": "kernel", "name": "sgemm", "pid": 0, "tid": 7, "ts": 30, "dur": 50, "args": {"correlation": 1, "External id": 1, "device": 0, "stream": 7}},
{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5, "args": {"Device Type": 0, "Device Id": -1, "Addr": 1, "Bytes": 16, "Total Allocated": 16, "Total Reserved": 0}},
{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 10, "args": {"Device Type": 1, "Device Id": 0, "Addr": 2, "Bytes": 1048576, "Total Allocated": 1048576, "Total Reserved": 2097152}},
{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 12, "args": {"Device Type": 1, "Device Id": 1, "Addr": 3, "Bytes": 1048576, "Total Allocated": 1048576, "Total Reserved": 20971520}}
]}
JSON
"$TRACEQ" report --style week1 trace.json | grep -A1 -i "GPU memory"
