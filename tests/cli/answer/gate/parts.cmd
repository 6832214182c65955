# A rank, a device or steps that are missing fail with a row of their own, and nothing is faster by it.
for side in base new; do
	mkdir $side
	for r in 0 1 2 3; do
		"$FIXTURES" multi-rank --rank $r --world 4 --steps 8 --seed 3 >$side/rank$r.json
	done
done
run() { "$TRACEQ" gate "$@" -q; echo "exit $?"; }
run base new
mv new/rank3.json .
run base new
run base new --json | grep -o '"check": "ranks".*"message": "[^"]*"'
run base new --check ranks=1 --check devices=30%
printf 'gate: {ranks: {level: note}, devices: {level: warn}}\n' >traceq.yaml
run base new
rm traceq.yaml
# What another is not measured against: more ranks than base has.
run new base | head -1
# A rank that is there twice is said, fails, and is no second run to be averaged.
mv rank3.json new && cp new/rank2.json new/rank2-copy.json
run base new | head -12
"$TRACEQ" diff base new 2>&1 | tail -4
rm new/rank2-copy.json
# A rank that stopped early: the steps that all of them have.
"$FIXTURES" multi-rank --rank 3 --world 4 --steps 4 --seed 3 >new/rank3.json
run base new --gate-on estimate
# A store knows how many there were, and refuses a run that is not whole.
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$TRACEQ" baseline add store base -q --label night$i --time $((1767225600 + 86400 * i))
done
rm new/rank3.json
run store new
"$TRACEQ" baseline add store new -q 2>&1
"$TRACEQ" gate --history store new -q | head -5
# Two devices, then one.
"$FIXTURES" multi-gpu --steps 6 >two.json
"$FIXTURES" healthy --steps 6 >one.json
run two.json one.json | head -8
