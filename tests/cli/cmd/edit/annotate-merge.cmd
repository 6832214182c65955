# Of each rank its own marks, in a process of its own, on the clock of the first.
for r in 0 1; do
	sed "1s|.*|{\"distributedInfo\": {\"rank\": $r, \"world_size\": 2},\n\"traceEvents\":[|" "$T/drawn.json" >r$r.json
done
"$TRACEQ" merge r0.json r1.json -o m.json --annotate idle,critical
grep '"cat": "traceq"' m.json | grep -e '"process_' -e '"idle 2.8' -e '"thread_name"'
"$TRACEQ" check m.json -q | grep 'own_marks'
