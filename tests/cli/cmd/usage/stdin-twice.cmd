# Standard input can be one side of a comparison, and not both
for i in $(seq 30); do echo "step=$i loss=$((60 - i)).5 step_time=10ms"; done >a.log
for words in "gate - -" "diff - vs -" "noise - -" "gate base=- new=-" "gate a.log -"; do
	# shellcheck disable=SC2086 # each is some words
	"$TRACEQ" $words --no-config <a.log 2>&1 | head -1
	echo "exit ${PIPESTATUS[0]}"
done
