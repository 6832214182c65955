# frames of the flame graph: merged by path, and in order of time, where what crosses has a lane of its own
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "main", "pid": 1, "tid": 2, "ts": 0, "dur": 100},
{"ph": "X", "cat": "cpu_op", "name": "work", "pid": 1, "tid": 2, "ts": 10, "dur": 40},
{"ph": "X", "cat": "cpu_op", "name": "late", "pid": 1, "tid": 2, "ts": 40, "dur": 20},
{"ph": "X", "cat": "cpu_op", "name": "work", "pid": 1, "tid": 2, "ts": 70, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "a", "pid": 1, "tid": 2, "ts": 71, "dur": 0.01},
{"ph": "X", "cat": "cuda_runtime", "name": "b", "pid": 1, "tid": 2, "ts": 71.02, "dur": 0.01},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 80, "dur": 30, "args": {"device": 0, "stream": 7}}
]}
END
"$TRACEQ" stacks t.json --order merged --wide
"$TRACEQ" stacks t.json --order time --format csv
"$TRACEQ" stacks t.json --order time -f work --wide -q
"$TRACEQ" stacks t.json --order time --metric device --wide -q
