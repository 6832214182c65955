# A folder of ranks is one job in every command: who makes the others wait, then its tables folded.
mkdir run
for r in 0 1 2 3; do "$FIXTURES" multi-rank --rank $r --world 4 --steps 3 --slow-rank 2 >run/rank$r.json; done
for c in top steps kernels idle launches copies comms stages stacks; do
	echo "== $c"
	"$TRACEQ" $c run -n 3
done
for c in summary diagnose info check; do
	echo "== $c"
	"$TRACEQ" $c run
done
