# The path of a job: a slow loader and clocks that are apart; pipelines, in one of which the rank that is
# slow is not the one with most of the path; nobody who is slow.
draw() { "$FIXTURES" multi-rank --all-ranks "$1" --layers 1 --steps 4 --world 4 "${@:2}"; }
first() { "$TRACEQ" critical "$@" -q -n 12 | sed '/^the critical path, by owner/,$d'; }
draw input --slow-rank 1 --slow-by input --clock-spread 10ms --clock-drift 50
draw stages --pp 2 --layers 2 --slow-rank 3
draw uneven --steps 5 --pp 2 --layers 2 --slow-rank 1 --slow-percent 15
draw balanced --slow-rank none --noise 3
for job in input stages uneven balanced; do
	echo "== $job"
	first $job
done
# Repairs that are asked for, and no others; a rank that is no straggler; of a single trace they are about nothing.
"$TRACEQ" critical stages -q --what-if stage=even,rank:0=even,links=even --table job_what_if --format csv | cut -d, -f1-6,14
"$TRACEQ" critical stages/rank0.json --what-if imbalance=0 2>&1 >/dev/null | sed 's/.*--what-if/--what-if/'
