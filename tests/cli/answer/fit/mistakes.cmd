# each is one clear error, exit 2
for o in "" "--params 7X" "--params 7B --gpu A100" "--params 7B --gpu H10" "--params 7B --regime zero" \
	"--params 7B --trainable 8B" "--params 7B --seq 8192" "--params 7B --batch 0" \
	"--params 7B --context 1G" "--params 7B --fragmentation 5"; do
	# shellcheck disable=SC2086
	"$TRACEQ" fit $o
	echo "$?"
done
