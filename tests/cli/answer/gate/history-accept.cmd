# History: a limit beside the tolerance, and changes of level that were acknowledged.
awk 'BEGIN {
	print "date,step_time,peak_gb"
	for (i = 1; i <= 40; i++) {
		noise = 0; for (k = 0; k < 12; k++) noise += (i * 7919 + k * 104729 + i * i * k * 31) % 1009 / 1009
		printf "2025-10-%02d,%.3f,%.3f\n", i, (i <= 34 ? 60 : 66) * (1 + 0.01 * (noise - 6)),
			10 + 0.01 * (noise - 6)
	}
}' >nightly.csv
try() {
	printf '%b' "$1" >traceq.yaml
	"$TRACEQ" gate --history nightly.csv --min-change 1% -q | grep -E '^gate|^[A-Za-z]+ +step_time'
	echo "exit ${PIPESTATUS[0]}"
}
try 'gate: {step_time: {tolerance: 5%}}\n'
# 10 % are twice of 5 %, but less than 7 (the unit of a CSV column is its own).
try 'gate: {step_time: {tolerance: 5%, floor: 7}}\n'
try 'gate: {step_time: {tolerance: 50%}}\n'
try 'gate: {step_time: {tolerance: 50%, limit: 3}}\n'
try 'gate: {step_time: {tolerance: 150%, limit: 7}}\n'
# Acknowledged: not the change beyond it, and not once more on the level it led to.
try 'gate: {step_time: {tolerance: 5%}, accept: {step_time: {ratio: 1.1, reason: the new data set}}}\n'
try 'gate: {step_time: {tolerance: 2%}, accept: {step_time: {ratio: 1.05}}}\n'
(cat nightly.csv; echo "2025-11-11,72.6,10"; echo "2025-11-12,72.7,10") >more.csv
mv more.csv nightly.csv
try 'gate: {step_time: {tolerance: 5%}, accept: {step_time: {ratio: 1.1, reason: the new data set}}}\n'
SOURCE_DATE_EPOCH=1767225600 try 'gate: {accept: {step_time: {ratio: 1.1, until: 2025-12-31}}}\n'
