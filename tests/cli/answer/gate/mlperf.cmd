# MLPerf logs: time to train and a loss are better lower, throughput higher; an aborted run failed.
"$FIXTURES" artifact mlperf-lora >base.txt
echo "== ten per cent longer, a lower loss"
sed -e 's/"time_ms": 1755476476192/"time_ms": 1755476494192/' -e 's/"value": 0.9243/"value": 0.4/' base.txt >slow.txt
"$TRACEQ" gate base.txt slow.txt -q --wide
echo "exit $?"
echo "== less throughput"
sed -e 's/"throughput": 2/"throughput": 1/' base.txt >slow.txt
"$TRACEQ" gate base.txt slow.txt -q | grep -E ' throughput'
echo "== aborted"
sed -e 's/"status": "success"/"status": "aborted"/' base.txt >slow.txt
"$TRACEQ" gate base.txt slow.txt -q | grep -E 'FAIL'
echo "== no end, no score"
grep -v run_stop base.txt >slow.txt
"$TRACEQ" info slow.txt 2>&1 | tail -3
"$TRACEQ" gate base.txt slow.txt -q | grep time_to
