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
