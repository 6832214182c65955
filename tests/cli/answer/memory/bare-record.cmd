# A record of the allocator without any arguments between others: it says nothing, and costs nothing.
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::empty", "pid": 1, "tid": 1, "ts": 1, "dur": 9},
{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 2},
{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 3, "args":
 {"Total Reserved": 4096, "Total Allocated": 1024, "Bytes": 1024, "Addr": 4096, "Device Id": 0, "Device Type": 1}},
{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 4}
]}
END
"$TRACEQ" memory -q t.json
"$TRACEQ" info -q t.json | tail -n 4
