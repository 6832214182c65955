# a history as a document
awk 'BEGIN {
	print "date,commit,step_time_ms"
	for (i = 1; i <= 40; i++)
		printf "2025-%02d-%02d,c%04d,%.3f\n", 9 + int((i - 1) / 28), (i - 1) % 28 + 1, i, (i <= 20 ? 64 : 60) + (i * 7919 % 101) / 200
}' >nightly.csv
"$TRACEQ" report --style nightly nightly.csv
