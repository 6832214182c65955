# One answer, several reports, in one run; the names in them are hostile.
"$FIXTURES" healthy --steps 8 --seed 1 >a.json
"$FIXTURES" dataloader-bound --steps 8 >b.json
"$TRACEQ" gate a.json b.json --check 'op:gemm|<b>&"%,:=5%' --junit j.xml --md m.md \
	--openmetrics o.txt --json-out a-and-b.json --json >stdout.json
echo "exit $?"
cmp stdout.json a-and-b.json && echo "--json-out is --json"
for f in j.xml m.md o.txt; do
	echo "== $f"
	cat $f
done
echo "== GitHub"
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=summary.md "$TRACEQ" gate a.json b.json -q >/dev/null
"$TRACEQ" gate a.json b.json --md same.md -q >/dev/null
cmp summary.md same.md && echo "the summary is --md"
GITHUB_ACTIONS=true "$TRACEQ" gate a.json a.json -q --ci none >/dev/null
"$TRACEQ" gate a.json none.json --junit k.xml --md k.md --openmetrics k.txt --ci github
echo "exit $?"
cat k.xml k.md k.txt
"$TRACEQ" gate a.json b.json --junit b.json
echo "exit $?"
"$TRACEQ" info b.json >/dev/null && echo "b.json is as it was"
"$TRACEQ" gate a.json b.json --junit none/j.xml >/dev/null
echo "exit $?"
