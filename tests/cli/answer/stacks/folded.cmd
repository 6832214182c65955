# input for flame graph programs: frames, a blank, ns; the sum is that of all roots
"$FIXTURES" python-stacks --steps 2 >t.json
"$TRACEQ" stacks t.json --format folded | sort -k 1,1 | sed -n 1,4p
"$TRACEQ" stacks t.json --format folded -q | awk '{ s += $NF } END { print s }'
"$TRACEQ" stacks t.json --metric device --format folded -q | awk '{ s += $NF } END { print s }'
"$TRACEQ" top t.json --format folded -q
echo "$?"
