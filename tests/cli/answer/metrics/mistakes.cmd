# options that make no sense, a trace, a folder without anything
"$FIXTURES" cpu-only --steps 1 >t.json
echo '{"step": 1, "loss": 1}' >log.jsonl
for o in "--window 0" "--ddof 2" "--key (" "--x tokens" "--leak-threshold 5" "--device 0" "--pass x" "--key nothing"; do
	# shellcheck disable=SC2086
	"$TRACEQ" metrics $o log.jsonl
	echo "$?"
done
"$TRACEQ" metrics t.json
echo "$?"
"$TRACEQ" batch log.jsonl
echo "$?"
"$TRACEQ" smi log.jsonl t.json
echo "$?"
