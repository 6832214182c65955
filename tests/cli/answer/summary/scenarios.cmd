for s in dataloader-bound graphs; do
	"$FIXTURES" $s --steps 4 >t.json && "$TRACEQ" summary t.json
done
