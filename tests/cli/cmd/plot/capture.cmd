# Charts and reports take captures: ops of replays have their shapes. A comparison has no runs for it.
"$FIXTURES" graph-serving --steps 1 >t.json && "$FIXTURES" graph-serving --steps 1 --capture >c.json
known() { sed -n '/^ *MFU/p;/^ *known/p'; }
echo "== alone"
"$TRACEQ" report t.json -q | known
echo "== with the capture"
"$TRACEQ" report t.json -q --capture c.json | known
echo "== ops in the chart"
for given in "" "--capture c.json"; do
	"$TRACEQ" plot roofline t.json -q $given -o p.svg >/dev/null 2>&1
	grep -h ' # [a-z]*::' p.dat | cut -d' ' -f2-
done
"$TRACEQ" report t.json t.json -q --capture c.json
"$TRACEQ" report t.json -q --capture t.json
