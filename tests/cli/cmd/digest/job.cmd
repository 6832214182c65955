# one job, digested as a whole, rank by rank, and put together in another order
mkdir job
for r in 0 1 2 3; do $FIXTURES multi-rank --rank $r --world 4 --steps 2 --layers 3 >job/rank$r.json; done
$TRACEQ digest job -o all.tqd | sed 's/[0-9]* bytes/N bytes/'
for r in 3 1 0 2; do $TRACEQ digest -q job/rank$r.json -o r$r.tqd; done
$TRACEQ digest -q r1.tqd r3.tqd -o odd.tqd
$TRACEQ digest r2.tqd odd.tqd r0.tqd r3.tqd -o again.tqd | sed 's/[0-9]* bytes/N bytes/'
cmp all.tqd again.tqd && echo the same bytes
mkdir parts && cp odd.tqd r0.tqd r2.tqd parts/
for q in summary top comms 'summary --json' 'top --csv -n 0' 'comms -n 0'; do
	q=${q/--csv/--format csv}
	$TRACEQ $q all.tqd >want 2>&1
	for set in 'r3.tqd r1.tqd r0.tqd r2.tqd' 'odd.tqd r2.tqd r0.tqd' 'parts' 'again.tqd'; do
		$TRACEQ $q $set >got 2>&1
		cmp want got && echo "$q: $set"
	done
done
for q in summary top comms check diagnose 'top --json' 'comms --format csv'; do
	$TRACEQ $q r2.tqd >got 2>&1
	$TRACEQ $q job/rank2.json >want 2>&1
	cmp want got && echo "$q: as of the trace"
done
# what only events tell is in no digest
$TRACEQ report r2.tqd >all 2>&1
awk '/^[^ ]/ { skip = /^[?]  the (critical path|roofline),/ } skip { print >"said" } !skip' all >got
$TRACEQ report job/rank2.json 2>&1 |
	awk '/^[A-Z]/ { skip = /^(CRITICAL PATH|ROOFLINE)$/ } !skip' >want
cmp want got && echo "report: as of the trace, but for the critical path and the roofline, of which it says:"
cat said
