# What is cut is what stacks says of it; by step 2 alone k4 and k5 and their calls.
cp "$T/drawn.json" t.json
same() { cmp "$1" "$2" && echo "$1: as of stacks"; }
for steps in "" "--steps 2"; do
	"$TRACEQ" cut t.json $steps -o c.folded
	"$TRACEQ" stacks t.json $steps -q --format folded -o s.folded
	same c.folded s.folded
	"$TRACEQ" cut t.json $steps --to speedscope -o c.json
	"$TRACEQ" stacks t.json $steps -q --format speedscope -o s.json
	same c.json s.json
done
cat c.folded
"$TRACEQ" cut t.json -q -o c.folded.gz && gzip -dc c.folded.gz | cmp - <("$TRACEQ" stacks t.json -q --format folded)
"$TRACEQ" cut - -q --to folded -f aten <t.json
for given in "--annotate idle" "--sample 1ms" "--no-args" "--level x"; do
	"$TRACEQ" cut t.json -o o.speedscope.json $given
	echo "exit $?"
done
"$TRACEQ" merge t.json c.json -o m.speedscope.json
"$TRACEQ" cut t.json --time 7ms- -f nothing -o o.folded
ls
