# One side was recorded with Python functions and allocations, which takes time of the CPU's: that is
# said, whatever the verdict is.
head='{"schemaVersion":1,"traceEvents":['
op='{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":10,"dur":20}'
python='{"ph":"X","cat":"python_function","name":"m.py(1): f","pid":1,"tid":1,"ts":5,"dur":30}'
memory='{"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":12,"args":{"Bytes":1,"Device Type":1,"Device Id":0}}'
echo "$head$op]}" >plain.json
echo "$head$op,$python]}" >stacks.json
echo '{"profile_memory":1,"schemaVersion":1,"traceEvents":['"$op]}" >said.json
echo "$head$op,$memory]}" >memory.json
for t in stacks said memory plain; do
	echo "== $t"
	"$TRACEQ" diff plain.json $t.json 2>&1 | grep -E 'with_stack|profile_memory'
	"$TRACEQ" gate plain.json $t.json 2>&1 | grep -E '^note: (with_stack|profile_memory)'
done
