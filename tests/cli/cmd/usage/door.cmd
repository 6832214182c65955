# No input is overwritten, no file of others is replaced unasked, and no two outputs are one file.
"$FIXTURES" healthy --steps 3 >t.json
t() {
	echo "> $*"
	PATH= "$TRACEQ" "$@" -q 2>&1
	echo "exit $?"
}
cp t.json x.dat
cp t.json x.gp
mkdir pl job
cp t.json pl/step-time.dat
cp t.json job/rank0.json
t plot timeline-lanes x.dat -o x.svg
t plot timeline-lanes x.gp -o x.svg --force
t report pl/step-time.dat --plots pl
t report job -o job/rank0.json --format md
ln -s t.json s.json
ln t.json h.json
t top s.json -o h.json
t gate t.json t.json --junit same.x --md ./same.x
t gate t.json t.json -o new.json --json-out "$PWD/new.json"
echo mine >y.dat
t plot timeline-lanes t.json -o y.svg
t plot timeline-lanes t.json -o y.svg --force
t plot timeline-lanes t.json -o y.svg
mkdir tables
echo mine >tables/steps.csv
t steps t.json --format csv -o tables/
t steps t.json --format csv -o tables/ --force
t steps t.json --format csv -o tables/
t top - -o t.json <t.json
"$TRACEQ" top t.json -q >>t.json
echo "exit $?"
"$FIXTURES" healthy --steps 3 >new
for f in t.json h.json x.dat x.gp pl/step-time.dat job/rank0.json; do
	cmp new $f
done
rm new
ls -A . pl job
head -n 1 y.dat y.gp y.svg
