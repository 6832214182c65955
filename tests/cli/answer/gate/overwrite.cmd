# What is written is never a file that is read, also where that lies in a folder.
mkdir base new
"$FIXTURES" healthy --steps 8 --seed 1 >base/trace.json
"$FIXTURES" healthy --steps 8 --seed 2 >new/trace.json
cp base/trace.json copy.json
for args in "-o base/trace.json" "--junit new/trace.json" "--json-out ./new/../new/trace.json"; do
	# shellcheck disable=SC2086
	"$TRACEQ" gate base new $args
	echo "exit $?"
done
"$TRACEQ" diff base new -o base/trace.json
echo "exit $?"
"$TRACEQ" report --style diff base new -o new/trace.json
echo "exit $?"
"$TRACEQ" info new/trace.json >/dev/null && cmp base/trace.json copy.json && echo "base/trace.json is as it was"
# A report of its own beside them is no input, the second time as well.
for i in 1 2; do
	"$TRACEQ" gate base new --md new/gate.md --junit new/gate.xml --json-out new/gate.json -q | head -1
done
ls new
