# A suffix that the command does not write is an error, and nothing is written; --format wins.
cp "$T/tiny.json" .
"$FIXTURES" healthy --steps 8 --seed 1 >base.json
"$FIXTURES" healthy --steps 8 --seed 2 >new.json
try() {
	echo "== $*"
	"$TRACEQ" "$@" >out 2>err
	echo "exit $?, $(wc -l <out) lines"
	grep -A1 "traceq: [a-z]*: -o" err
}
for file in x.svg x.PNG x.pdf x.xml x.html x.json.gz x.folded x.v2; do try top tiny.json -o $file; done
try report tiny.json -o x.pdf
try report tiny.json -o x.json
try explain busy -o x.html
try stacks tiny.json -o x.folded
try gate base.json new.json -o x.svg
try top tiny.json -o x.svg --format md
try top tiny.json -o x.html --json
try report tiny.json -o x.pdf --format md
try report tiny.json -o x.HTML
rm -f out err
head -n 1 x.*
