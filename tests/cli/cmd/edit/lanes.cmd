# Stream 7: b runs beside a.  Streams 20 and 21 only replay graphs, one after the other.
cat >t.json <<'T'
{"traceEvents": [
{"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7"}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 100, "dur": 20, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 110, "dur": 20, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "g", "pid": 0, "tid": 20, "ts": 100, "dur": 4, "args": {"device": 0, "stream": 20, "graph node id": 1}},
{"ph": "X", "cat": "kernel", "name": "h", "pid": 0, "tid": 21, "ts": 104, "dur": 4, "args": {"device": 0, "stream": 21, "graph node id": 2}}
]}
T
"$TRACEQ" cut t.json --lanes perfetto -o -
"$TRACEQ" cut t.json --lanes perfetto -o out.json
"$TRACEQ" top t.json --by stream >before
"$TRACEQ" top out.json --by stream >after
diff before after
"$TRACEQ" cut t.json --lanes chrome -o -
echo "exit $?"
"$TRACEQ" cut t.json --lanes perfetto -o out.pftrace
echo "exit $?"
"$TRACEQ" cut t.json --anonymize -o out.folded
echo "exit $?"
