# Without shapes, without ops, with graphs, without a device: unknown, and said.
"$FIXTURES" healthy --steps 2 --no-shapes >t.json && "$TRACEQ" roofline t.json -n 3
for scenario in gpu-only graphs cpu-only multi-gpu rocm; do
	echo "== $scenario"
	"$FIXTURES" "$scenario" --steps 2 >t.json && "$TRACEQ" roofline t.json -n 3
done
