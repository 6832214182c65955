# what a digest cannot answer says so, and what is none is one error
$FIXTURES tiny >t.json
$TRACEQ digest -q t.json -o t.tqd
for q in 'top --by shape' 'top -n 3' 'top --format torch' 'summary --steps 1' 'comms --comm x' timeline \
	stages 'diff t.tqd --warmup 1' 'diff t.tqd --exact-names'; do
	$TRACEQ $q t.tqd
	echo "$q: $?"
done
$TRACEQ info t.tqd | tail -n 2 | sed "s|traceq [0-9.]*)|traceq RELEASE)|"
$TRACEQ digest t.json
$TRACEQ digest -o x.tqd
$TRACEQ digest t.json -o t.json
$TRACEQ digest t.tqd -o t.tqd
echo '{"loss": 1}' >log.jsonl
$TRACEQ digest t.json log.jsonl none.json -o x.tqd
echo "$?"
ls
