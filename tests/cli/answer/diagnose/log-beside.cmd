# A loss that is no number, in the log beside a healthy trace: it comes first, in each answer of the folder.
mkdir run
"$FIXTURES" healthy --steps 6 > run/trace.json
for i in $(seq 0 39); do
	loss=2.$((60 - i))
	[ "$i" -gt 30 ] && loss=NaN
	echo "{\"step\": $i, \"loss\": $loss, \"lr\": 0.001}"
done > run/train.jsonl
"$TRACEQ" run | sed -n 1,12p
"$TRACEQ" diagnose run --min-severity warn --exit-code
echo "exit $?"
"$TRACEQ" diagnose run --rules G01
"$TRACEQ" report run -o report.txt
sed -n '/^ANSWER/,/GPU/p; /OTHER FILES/,/^$/p' report.txt
