# idle before and after; a pause; a clock that falls; a clock that is set back
{
	echo "timestamp, utilization.gpu [%], memory.used [MiB], memory.total [MiB], clocks.sm [MHz], clocks.max.sm [MHz]"
	for i in $(seq 10 59); do
		u=$((i < 15 || i >= 55 ? 0 : 90)) c=$((i < 40 ? 1400 : 900)) m=12
		[ "$i" -ge 30 ] && m=14
		[ "$i" -ge 50 ] && m=13
		echo "2025/11/30 12:$m:$i.000, $u %, $((1000 + i)) MiB, 40960 MiB, $c MHz, 1410 MHz"
	done
} >gpu.csv
"$TRACEQ" smi gpu.csv
"$TRACEQ" smi gpu.csv --no-trim --points 5 -q
for o in "--target 80" "--points x" "--gpu 0"; do
	# shellcheck disable=SC2086
	"$TRACEQ" smi $o gpu.csv
	echo "$?"
done
