# Neither run has a profiler: the documents' comparison of profilers is left out.
for i in 1 2; do
	printf '{"step": %d, "loss": 0.9, "step_time": 0.5}\n' 1 2 3 4 >r$i.jsonl
done
"$TRACEQ" diff --format seed r1.jsonl r2.jsonl
