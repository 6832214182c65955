# files that cannot be read to their end: the kernel refuses, a pipe closes early, nothing is there
"$TRACEQ" info /proc/self/mem
echo "$?"
"$TRACEQ" info /dev/null
echo "$?"
mkfifo pipe
for a in stage-times jsonl op-csv; do
	"$FIXTURES" artifact "$a" | head -c 150 >pipe &
	timeout 20 "$TRACEQ" info pipe | head -4
	echo "${PIPESTATUS[0]}"
	wait
done
# a pipe in a folder is passed over
mkdir folder && mkfifo folder/pipe && "$FIXTURES" artifact stage-times >folder/stage_times.json
timeout 20 "$TRACEQ" info folder | head -4
