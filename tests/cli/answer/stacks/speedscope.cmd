# calls for speedscope: a profile for each thread and stream, nested; what crosses has one of its own
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "main \"x\"", "pid": 1, "tid": 2, "ts": 5, "dur": 100},
{"ph": "X", "cat": "cpu_op", "name": "work", "pid": 1, "tid": 2, "ts": 15, "dur": 40},
{"ph": "X", "cat": "cpu_op", "name": "late", "pid": 1, "tid": 2, "ts": 45, "dur": 20},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 85, "dur": 30, "args": {"device": 0, "stream": 7}}
]}
END
"$TRACEQ" stacks t.json --format speedscope
"$TRACEQ" stacks t.json -o x.speedscope.json -q && cmp x.speedscope.json <("$TRACEQ" stacks t.json --format speedscope -q) && echo same
"$TRACEQ" stacks x.speedscope.json -q
"$TRACEQ" stacks t.json --metric device --format speedscope | grep -c '"type":"O"'
"$TRACEQ" stacks t.json t.json -o two.speedscope.json; echo "$?"; ls two.speedscope.json
printf 'main;f 3\nmain;g 2\n' >p.raw
"$TRACEQ" stacks p.raw --format speedscope -q
"$TRACEQ" stacks t.json -f nothing --format speedscope
"$TRACEQ" top t.json -o x.speedscope.json
