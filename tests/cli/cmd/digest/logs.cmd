# What a run's logs say stands beside the answer of its trace, also where that was digested.
mkdir run
"$FIXTURES" healthy --steps 6 >trace.json
"$TRACEQ" digest -q trace.json -o run/trace.tqd
for i in 1 2 3 4 5 6 7 8; do
	printf '{"step": %d, "loss": %s}\n' $i "$([ $i -gt 5 ] && echo NaN || echo 0.$i)"
done >run/train.jsonl
"$TRACEQ" diagnose run -q | grep -E 'verdict|D05'
"$TRACEQ" run -q | grep -E 'verdict|D05'
"$TRACEQ" report run --format md -q | grep -c 'D05'
"$TRACEQ" diagnose run --json -q | grep -c '"rule": "D05"'
echo "== the trace alone says nothing of logs"
"$TRACEQ" diagnose run/trace.tqd -q | grep -c D05 || true
