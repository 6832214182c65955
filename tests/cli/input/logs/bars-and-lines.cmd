# What lines wrote since a bar was drawn is theirs alone: no restart, every line counts once.  A bar
# keeps what no line wrote.
i=0
while [ $i -lt 40 ]; do
	echo "2025-11-30 12:00:00,000 - __main__ - INFO - Step $i: loss=0.$((90 - i))21 reward=0.$((10 + i))"
	[ $((i % 10)) -ne 0 ] ||
		printf '\rTraining:  1%%|#   | %d/40 [00:00<06:59,  2.35it/s, loss=0.%d, lr=0.01]\n' $i $((90 - i))
	i=$((i + 1))
done >log
"$TRACEQ" metrics --wide --warmup 0 log
