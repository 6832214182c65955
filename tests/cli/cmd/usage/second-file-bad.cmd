# One bad operand among good ones: named on stderr, the others are answered for, exit code 2.
"$FIXTURES" tiny >a.json
cp a.json b.json
echo '[]' >bad.json
try() {
	echo "== $*"
	"$TRACEQ" "$@"
	echo "exit $?"
}
try top missing.json a.json bad.json b.json -n 1 --table ops -q
for verb in summary info check steps; do
	"$TRACEQ" $verb a.json missing.json -q >out
	echo "$verb: exit $?, $(($(wc -c <out) > 0))"
done
"$TRACEQ" top a.json missing.json --json | sed -n '/"notes"/,$p'
"$TRACEQ" info missing.json a.json --json | sed -n '/"notes"/,$p'
try top missing.json bad.json
try info missing.json bad.json
try top missing.json
head -c 400 a.json >cut.json
try top cut.json a.json --strict -q -n 1 --table ops -o out.txt
wc -l <out.txt
# A comparison and a document are about all of their inputs.
try diff a.json missing.json
try report a.json missing.json -o r.md
ls r.md
