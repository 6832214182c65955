# Everybody came: nobody is through, or all but one are.
. "$T/dumps.sh"
for r in 0 1 2; do
	dump $r 'W: 0,1,2' <<<'5 W all_reduce 4 started [8] Float step train.py'
done
echo == nobody is through
"$TRACEQ" hang .
echo == two are
for r in 0 1; do
	dump $r 'W: 0,1,2' <<<'5 W all_reduce 4 completed [8] Float step train.py'
done
"$TRACEQ" hang .
echo == all are
cp _dump_1 _dump_2
"$TRACEQ" hang . && echo "exit $?"
