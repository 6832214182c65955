# the documents' own files: a tracker's export with scores and groups, a profile, GRPO, stages, memory
for n in training-logger profile profile-short grpo-jsonl stage-times-context memory-log \
	canary-metrics epoch-summary score-distribution-empty samples-jsonl; do
	"$FIXTURES" artifact "$n" >"$n"
	echo "# $n"
	"$TRACEQ" metrics "$n" -q
done
