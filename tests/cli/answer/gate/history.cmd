# A history as CSV: levels, the newest run, confirmation; and what is no history.
awk 'BEGIN {
	srand(3); print "date,commit,step_time_ms,tokens_per_sec,note"
	for (i = 1; i <= 60; i++) {
		noise = 0; for (k = 0; k < 12; k++) noise += (i * 7919 + k * 104729 + i * i * k * 31) % 1009 / 1009
		t = (i <= 20 ? 64 : 60) * (1 + 0.01 * (noise - 6))
		printf "2025-%02d-%02d,c%04d,%.3f,%.1f,\"a, b\"\n", 9 + int((i - 1) / 28), (i - 1) % 28 + 1, i, t, 8192 / t * 1000
	}
}' >nightly.csv
"$TRACEQ" gate --history nightly.csv
echo "exit $?"
(cat nightly.csv; echo "2025-12-01,bad1,66.9,122000,x") >one.csv
"$TRACEQ" gate --history one.csv
echo "exit $?"
"$TRACEQ" gate --history one.csv --confirm 1 -q | head -1
echo "exit ${PIPESTATUS[0]}"
(cat one.csv; echo "2025-12-02,bad2,67.1,121800,x") >two.csv
"$TRACEQ" gate --history two.csv --junit j.xml --openmetrics o.txt
echo "exit $?"
cat j.xml o.txt
# What got better is no alarm, whichever way is better.
(cat nightly.csv; echo "2025-12-01,g1,50.1,163000,x"; echo "2025-12-02,g2,50.2,163000,x") >good.csv
"$TRACEQ" gate --history good.csv -q | head -6
# An old change is history.
"$TRACEQ" gate --history two.csv --recent 1 -q | head -1
head -5 nightly.csv >short.csv
"$TRACEQ" gate --history short.csv
echo "exit $?"
for bad in 'a,b\n1,2\n1,x\n' '1,2\n3,4\n' 'name\nx\n' '{"a": 1}\n' '' 'a,b\n'; do
	printf "$bad" >bad.csv
	"$TRACEQ" gate --history bad.csv
	echo "exit $?"
done
printf 'id,time\nn1,1\nn2,2\n' >names.csv
"$TRACEQ" gate --history names.csv
echo "exit $?"
"$TRACEQ" gate --history nightly.csv --window 2
echo "exit $?"
# A store, and a new run behind it: what is no check of the gate is a note.
for i in $(seq 10 21); do
	mkdir -p runs/run$i
	"$FIXTURES" healthy --steps 6 --seed "$i" >runs/run$i/t.json
done
"$FIXTURES" dataloader-bound --steps 6 >slow.json
export SOURCE_DATE_EPOCH=1767225600
"$TRACEQ" baseline add store runs -q
"$TRACEQ" gate --history store slow.json
echo "exit $?"
"$TRACEQ" gate --history store slow.json --confirm 1 -q | head -1
echo "exit ${PIPESTATUS[0]}"
