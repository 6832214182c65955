# threads that only wait and layers that differ in a number: hidden and merged in pictures, with sums that hold; apart where asked
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "step", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
{"ph": "X", "cat": "user_annotation", "name": "Block_0", "pid": 1, "tid": 1, "ts": 10, "dur": 20},
{"ph": "X", "cat": "user_annotation", "name": "attn.0.q", "pid": 1, "tid": 1, "ts": 12, "dur": 8},
{"ph": "X", "cat": "user_annotation", "name": "Block_1", "pid": 1, "tid": 1, "ts": 30, "dur": 40},
{"ph": "X", "cat": "user_annotation", "name": "attn.1.q", "pid": 1, "tid": 1, "ts": 40, "dur": 10},
{"ph": "X", "cat": "user_annotation", "name": "Head_0", "pid": 1, "tid": 1, "ts": 70, "dur": 10},
{"ph": "X", "cat": "cpu_op", "name": "aten::conv2d", "pid": 1, "tid": 1, "ts": 82, "dur": 4},
{"ph": "X", "cat": "cpu_op", "name": "aten::conv3d", "pid": 1, "tid": 1, "ts": 86, "dur": 6},
{"ph": "X", "cat": "python_function", "name": "m.py(1): f_1", "pid": 1, "tid": 1, "ts": 93, "dur": 2},
{"ph": "X", "cat": "python_function", "name": "m.py(2): f_1", "pid": 1, "tid": 1, "ts": 95, "dur": 1},
{"ph": "X", "cat": "python_function", "name": "threading.py(930): _bootstrap", "pid": 1, "tid": 2, "ts": 0, "dur": 100},
{"ph": "X", "cat": "python_function", "name": "tqdm/_monitor.py(69): run", "pid": 1, "tid": 2, "ts": 0, "dur": 100},
{"ph": "X", "cat": "python_function", "name": "threading.py(589): wait", "pid": 1, "tid": 2, "ts": 0, "dur": 99.9},
{"ph": "X", "cat": "python_function", "name": "queue.py(154): get", "pid": 1, "tid": 3, "ts": 0, "dur": 60},
{"ph": "X", "cat": "python_function", "name": "loader.py(5): work", "pid": 1, "tid": 3, "ts": 60, "dur": 5}
]}
END
show() { "$TRACEQ" stacks t.json "$@" --format csv -q; }
show --order merged
show --order merged --no-merge-layers --waits apart
show --order merged --waits merged | grep bootstrap
show --order merged -f monitor
show --order time | grep ',0,\|wait'
show --order time --waits apart | grep ',0,.*waits'
"$TRACEQ" stacks t.json -o x.svg && grep -o '[0-9][^<>;]*not shown' x.svg
