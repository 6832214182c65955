# No device work, no host: unknown is not 0.
for s in cpu-only gpu-only; do
	"$FIXTURES" $s --steps 2 >t.json && "$TRACEQ" summary t.json
done
