# Files and folders that are read side by side: the same bytes for any number of threads, what is
# wrong with some of them in their order, and each of them once.
mkdir ranks run
for rank in 0 1 2; do
	"$FIXTURES" healthy --steps 1 --seed $((rank + 1)) --gzip >ranks/rank$rank.json.gz
done
"$FIXTURES" healthy --steps 1 --seed 4 --damage cut@90000 >ranks/rank3.json
{
	echo '{"traceEvents": [{"ph": "X", "name": "op", "ts": 1, "dur": 1, "pid": 1, "tid": 1},'
	printf '{%05000d\n' 0
} >ranks/rank4.json
"$FIXTURES" tiny >run/tiny.json
"$FIXTURES" artifact jsonl --rows 5 >run/train.jsonl
echo '{"traceEvents": [' >open.json
echo 'not a trace' >log.txt

# ask WORDS...: with one thread, and that others say the same.
ask() {
	"$TRACEQ" "$@" --threads 1 >one.out 2>one.err
	echo "exit $?" >>one.err
	for threads in 2 3; do
		"$TRACEQ" "$@" --threads $threads >many.out 2>many.err
		echo "exit $?" >>many.err
		cmp one.out many.out && cmp one.err many.err || echo "$*: $threads threads"
	done
}
echo '== one after the other'
ask top --json run/tiny.json open.json ranks missing.json run log.txt
grep -E '"inputs"|left_out' one.out
cat one.err
ask top ranks
cat one.err
ask top --strict ranks run
cat one.err
echo '== all at once'
ask report --format md ranks
grep -E 'left out' one.out
cat one.err
