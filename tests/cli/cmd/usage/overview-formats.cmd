# The overview is for people: what programs read is in the answers that it is made of.
cp "$T/tiny.json" a.json
cp "$T/tiny.json" 'b c.json'
try() {
	echo "== $*"
	"$TRACEQ" "$@" 2>&1
	echo "exit $?"
}
try a.json --json
try a.json --csv
try a.json 'b c.json' --format tsv
try overview a.json -o a.json.csv
try - --json
try --no-pager -- --json
try a.json --json --format md
try a.json --format xml
# What is said can be typed.
"$TRACEQ" a.json --json 2>&1 | sed -n 's/^  traceq //p' >lines
while read -r line; do
	# shellcheck disable=SC2086
	"$TRACEQ" $line 2>err | head -n 2 | tail -n 1
done <lines
ls
