# A run is called what it is, with the number that says so.
for s in healthy dataloader-bound copy-bound launch-bound comm-bound cpu-only gpu-only; do
	"$FIXTURES" "$s" --steps 8 >"$s.json"
	"$TRACEQ" diagnose "$s.json" --min-severity warn
done
