# What other commands say of a memory snapshot, and memory of what is none.
"$FIXTURES" artifact memory-snapshot --rows 3 >s
"$FIXTURES" artifact memory-snapshot-oom >oom
for c in info check; do
	echo "== $c"
	"$TRACEQ" $c s
	"$TRACEQ" $c oom
done
for c in top hang summary metrics diagnose; do
	echo "== $c"
	"$TRACEQ" $c s 2>&1
	echo "exit $?"
done
echo == memory of a log
"$FIXTURES" artifact jsonl --rows 3 >log
"$TRACEQ" memory log 2>&1
echo "exit $?"
"$TRACEQ" memory log s 2>&1 | head -n 6
echo == beside a trace
mkdir both
"$FIXTURES" leak --steps 3 >both/t.json
cp oom both/oom.pickle
"$TRACEQ" memory both --format csv --table peaks
"$TRACEQ" memory both --format csv --table held
