# What bounds a run whose fault is known, and what would help most.
for scenario in dataloader-bound launch-bound comm-bound copy-bound graphs multi-stream cpu-only \
	mixed gpu-only rocm inference second-idle; do
	echo "== $scenario"
	"$FIXTURES" "$scenario" --steps 3 >t.json && "$TRACEQ" critical t.json -n 3 -q |
		sed -n '1,/^$/p; /^what a change/,/^$/p'
done
