# Repeats of an MLPerf result: the score, evaluations and throughput, as files and as a folder.
"$FIXTURES" artifact mlperf-lora >base.txt # run_start 1755476356192, run_stop 120 s later
mkdir repeats
i=0
for ms in 118000 121000 119500 122500 120000 117500 120500 123000 119000 121500; do
	sed "s/\"time_ms\": 1755476476192/\"time_ms\": $((1755476356192 + ms))/" base.txt >repeats/result_$i.txt
	i=$((i + 1))
done
"$TRACEQ" noise repeats/result_*.txt
echo "exit $?"
"$TRACEQ" noise repeats -q | cmp - <("$TRACEQ" noise repeats/result_*.txt -q) && echo "the folder says the same"
