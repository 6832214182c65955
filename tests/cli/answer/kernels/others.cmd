# Without ops, without occupancy (ROCm), with graphs, with two devices, without a device.
for scenario in gpu-only rocm graphs multi-gpu cpu-only; do
	echo "== $scenario"
	"$FIXTURES" "$scenario" --steps 2 >t.json && "$TRACEQ" kernels t.json -n 2
done
