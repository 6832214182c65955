# Arguments that are no object, and events of no arguments, stay as they are.
for r in 0 1; do
	cat >r$r.json <<END
{"distributedInfo": {"rank": $r, "world_size": 2}, "traceEvents": [
{"ph":"X","cat":"cpu_op","name":"list","pid":7,"tid":7,"ts":1,"dur":2,"args":[1,2]},
{"ph":"X","cat":"cpu_op","name":"text","pid":7,"tid":7,"ts":4,"dur":2,"args":"x"},
{"ph":"X","cat":"cpu_op","name":"none","pid":7,"tid":7,"ts":7,"dur":2,"args":{}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":9,"dur":2,"args":{"device":0,"stream":7,"correlation":4}}
]}
END
done
"$TRACEQ" merge r0.json r1.json -o m.json -q
grep '"ph"' m.json
