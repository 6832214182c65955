# Whatever is asked of a job, and of its digests: the same sentence about it, for every cause.
draw() { "$FIXTURES" multi-rank --all-ranks "$1" --layers 1 --steps 4 "${@:2}"; }
draw input --world 3 --slow-by input
draw work --world 3 --slow-by work
draw compute --world 2
for job in input work compute; do
	"$TRACEQ" digest -q $job -o $job.tqd
	"$TRACEQ" ranks -q $job --table findings --json | grep -o '"text": "[^"]*"' | tee says
	for of in $job $job.tqd; do
		for command in summary top comms diagnose steps; do
			"$TRACEQ" $command -q $of --json >answer
			grep -qFf says answer && echo "$command $of" || echo "$command $of: another"
		done
	done
done
