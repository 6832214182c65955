for scenario in multi-gpu rocm gpu-only cpu-only; do
	echo "== $scenario"
	"$FIXTURES" "$scenario" --steps 2 >t.json && "$TRACEQ" copies t.json --types
done
