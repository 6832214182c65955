cat >t.json <<'T'
{"hostName": "node17.corp", "secret": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3"}],
"traceEvents": [
{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python train_gpt9.py"}},
{"ph": "X", "cat": "python_function", "name": "/home/alice/proj/train_gpt9.py(12): main_loop", "pid": 1, "tid": 1, "ts": 0, "dur": 50},
{"ph": "X", "cat": "python_function", "name": "nn.Module: AliceNet_0", "pid": 1, "tid": 1, "ts": 1, "dur": 40, "args": {"Python id": 1}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 2, "dur": 30, "args": {"Input Dims": [[3, 4], [4, 5]], "owner": "\u0061lice"}},
{"ph": "X", "cat": "kernel", "name": "alice_gemm<float>", "pid": 0, "tid": 7, "ts": 10, "dur": 5, "args": {"device": 0, "stream": 7}}
]}
T
"$TRACEQ" cut t.json --anonymize -o -
"$TRACEQ" cut t.json --anonymize -o out.json
"$TRACEQ" merge t.json --anonymize -o out.json -q
echo "exit $?"
