# Products, norms and fused kernels of graph replays have the shapes of the capture; each replay is a call.
"$FIXTURES" graph-serving --steps 1 >t.json && "$FIXTURES" graph-serving --steps 1 --capture >c.json
for given in "" "--capture c.json"; do
	echo "== $given"
	COLUMNS=140 "$TRACEQ" roofline t.json -n 8 $given
done
