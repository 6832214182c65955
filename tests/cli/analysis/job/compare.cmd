# diff and gate of jobs: who became the straggler, imbalance that fails, traces that are no ranks of it.
mkdir base new
for r in 0 1 2; do
	"$FIXTURES" multi-rank --rank $r --world 3 --steps 4 --slow-rank none >base/rank$r.json
	"$FIXTURES" multi-rank --rank $r --world 3 --steps 4 --slow-rank 1 >new/rank$r.json
done
"$TRACEQ" diff base new | head -4
"$TRACEQ" diff base new --json | grep -c '"imbalance"'
"$TRACEQ" diff new base | head -3
"$TRACEQ" gate base new | grep -E "^gate|imbalance"
echo "exit ${PIPESTATUS[0]}"
"$TRACEQ" gate new new | grep -E "^gate|imbalance"
echo "exit ${PIPESTATUS[0]}"
"$TRACEQ" gate new base | grep -E "^gate|imbalance"
cp base/rank1.json base/rank1_again.json
"$TRACEQ" gate new base | grep -E "^gate|ranks"
echo "exit ${PIPESTATUS[0]}"
"$FIXTURES" multi-rank --rank 1 --world 8 --steps 4 --slow-rank none >base/rank1.json
rm base/rank1_again.json
"$TRACEQ" gate new base --allow-env world_size | grep -E "^gate|ranks"
echo "exit ${PIPESTATUS[0]}"
