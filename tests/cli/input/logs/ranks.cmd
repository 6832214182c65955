# Several processes in one log: rank 0 is the run, the others are groups of their own.
for step in 1 2 3; do
	for rank in 0 1 2; do
		echo "[rank$rank]:2025-11-30 12:00:0$step,000 - root - INFO - step: $step loss: $step.$rank"
	done
done >log
"$TRACEQ" info log
sed 's/^\[rank\([0-9]\)\]/[default\1]/' log >torchrun
"$TRACEQ" info torchrun --format csv --table series
sed 's/^\[rank\([0-9]\)\]:/\1: /' log >srun
"$TRACEQ" info srun --format csv --table series
