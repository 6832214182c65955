# No device work, no host, no steps: unknown is not 0.
for s in cpu-only gpu-only; do
	"$FIXTURES" $s --steps 2 >t.json && "$TRACEQ" steps t.json
done
