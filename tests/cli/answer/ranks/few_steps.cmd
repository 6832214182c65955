# Two ranks, one step or two: who is slow, and by what; every answer says the same.
for by in compute input; do
	for steps in 1 2; do
		"$FIXTURES" multi-rank --world 2 --steps $steps --slow-by $by --all-ranks $by$steps
		"$TRACEQ" ranks $by$steps -q | head -2
	done
	"$TRACEQ" ranks ${by}2 -q | head -2 >ranks && "$TRACEQ" idle ${by}2 -q | head -2 | cmp - ranks && echo same
done
