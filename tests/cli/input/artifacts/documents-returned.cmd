# what profilers and trackers return, dumped as JSON: over several lines, and as one
cat >measure.json <<'END'
{
  "allocated_gb": 12.5,
  "reserved_gb": 14.0,
  "max_allocated_gb": 15.2,
  "max_reserved_gb": 16.0
}
END
cat >timers.json <<'END'
{
  "forward": {"mean_sec": 0.125, "count": 100},
  "backward": {"mean_sec": 0.250, "count": 100},
  "optimizer": {"mean_sec": 0.050, "count": 100}
}
END
echo '{"forward": {"mean_sec": 0.125, "count": 100}}' >timer.json
echo '{"samples_per_sec": 8.5, "tokens_per_sec": 10920}' >throughput.json
cat >summary.json <<'END'
{
  "count": 1000,
  "mean": 0.342,
  "std": 0.089,
  "min": 0.123,
  "max": 0.789,
  "p95": 0.512
}
END
echo '{"memory": {}, "timing": {}, "throughput": {}}' >empty.json
for f in measure timers timer throughput summary empty; do
	"$TRACEQ" info $f.json
	echo "$f: exit $?"
done
echo "# no timers: a member is none"
echo '{"forward": {"mean_sec": 0.125}, "other": 1}' >other.json
"$TRACEQ" info other.json 2>&1 | head -n 1
echo "# numbers without a name"
echo '[1.0, 0.5, null, 0.0]' >scores.json
"$TRACEQ" info scores.json
echo "exit $?"
