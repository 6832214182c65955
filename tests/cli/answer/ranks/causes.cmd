# What makes a rank late: its loader, more tokens; the links of a group; another rank in each step.
draw() { "$FIXTURES" multi-rank --all-ranks "$1" --layers 1 --noise 1 "${@:2}"; }
draw input --world 4 --steps 6 --slow-by input
draw work --world 4 --steps 6 --slow-by work --slow-percent 10
draw link --world 8 --tp 2 --steps 5 --slow-by link --slow-percent 100
draw moving --world 4 --steps 8 --slow-rank moving --slow-percent 40
draw balanced --world 4 --steps 6 --slow-rank none
for job in input work link moving balanced; do
	echo "== $job"
	"$TRACEQ" ranks $job | sed "/^the job/,\$d"
done
