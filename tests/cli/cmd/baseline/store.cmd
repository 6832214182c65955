# A store: runs are added, a failing one is refused until somebody says why it counts.
export SOURCE_DATE_EPOCH=1767225600
for i in 1 2 3 4; do
	mkdir -p good/run$i
	"$FIXTURES" healthy --steps 8 --seed $i >good/run$i/trace.json
done
mkdir slow
"$FIXTURES" dataloader-bound --steps 8 >slow/trace.json
"$TRACEQ" baseline add store good --commit abc123
echo "exit $?"
head -n 1 store/baseline.jsonl
"$TRACEQ" baseline add store slow
echo "exit $?"
wc -l <store/baseline.jsonl
"$TRACEQ" gate store slow -q | head -1
"$TRACEQ" gate store good/run2 -q | head -1
"$TRACEQ" baseline add store slow --accept "the new loader" --commit def456 --label loader --time 1767312000
echo "exit $?"
"$TRACEQ" baseline list store
# The level begins anew there.
"$TRACEQ" gate store slow -q | head -1
"$TRACEQ" baseline prune store --keep 2
"$TRACEQ" baseline list store --json | grep -c '"label"'
# A torn last line is left out; a damaged one is an error with its place.
printf '{"schema": "traceq.baseline/1", "met' >>store/baseline.jsonl
"$TRACEQ" baseline list store --format csv
echo "exit $?"
sed -i '1s/"metrics"/"metrix"/' store/baseline.jsonl
"$TRACEQ" baseline list store
echo "exit $?"
