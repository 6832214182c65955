# Files digested side by side: the same bytes, whatever the number of threads, and the same words
# about one that cannot be.
mkdir job
for r in 0 1 2; do "$FIXTURES" multi-rank --rank $r --world 3 --steps 1 --layers 2 >job/rank$r.json; done
for threads in 1 3; do
	"$TRACEQ" digest -q job --threads $threads -o $threads.tqd
	cmp 1.tqd $threads.tqd && echo "$threads: the same bytes"
done
echo 'not a trace' >job/rank1.json
for threads in 1 3; do
	"$TRACEQ" digest -q job/rank?.json --threads $threads -o more.tqd
	echo "exit $?" >&2
done
