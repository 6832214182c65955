# Steps that are three times as long from a place on are no noise, though the median does not know them; nor is a stretch in
# the middle.  A twentieth more is within what is tolerated, and neighbours that resemble each other are no new level.
steps() { # STEPS FROM TO FACTOR: from step FROM on, up to TO, steps take FACTOR times as long
	awk -v n="$1" -v from="$2" -v to="$3" -v by="$4" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "{\"step\": %d, \"step_time\": %.4f}\n", i, (0.1 + 0.001 * (i * 7 % 5 - 2)) * (i >= from && i < to ? by : 1)
	}'
}
steps 200 0 0 1 >base.jsonl
for new in "120 200 3" "60 120 3" "120 200 1.8" "120 200 1.05"; do
	# shellcheck disable=SC2086 # three words
	steps 200 $new >new.jsonl
	"$TRACEQ" gate base.jsonl new.jsonl >out
	echo "$new: exit $?: $(grep uneven_steps out)"
done
