# Each answer that a document lays out, of a trace, of a log, of two of them, and of a folder with both.
"$FIXTURES" healthy --steps 8 --memory >a.json && "$FIXTURES" dataloader-bound --steps 8 --memory >b.json
"$FIXTURES" artifact train-jsonl >train.jsonl && sed 's/"loss": 0/"loss": 1/' train.jsonl >again.jsonl
mkdir -p run/torch_profiler && cp a.json run/trace.json && cp train.jsonl run
"$FIXTURES" artifact memory-stats >run/torch_profiler/memory_stats.json
"$FIXTURES" artifact op-csv >run/torch_profiler/op_stats.csv
try() {
	echo "== $*"
	"$TRACEQ" "$@" --format seed -q 2>&1
	echo "exit $?"
}
for answer in metrics batch fit check diagnose report "report --style week1"; do
	for input in a.json train.jsonl "a.json b.json" "train.jsonl again.jsonl" "a.json train.jsonl" run; do
		# shellcheck disable=SC2086 # words
		try $answer $input
	done
done
try diff a.json b.json
try diff train.jsonl again.jsonl
try diff a.json train.jsonl
try diff run a.json
try diff a.json
try check run --analysis --report
try diagnose a.json --steps 3-4
try diagnose a.json --rules G01 --min-severity crit
try fit --params 7B --gpu T4
try batch a.json b.json --batch 8,16
try top a.json
