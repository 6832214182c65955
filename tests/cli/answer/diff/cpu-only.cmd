"$FIXTURES" cpu-only --steps 8 >a.json && "$FIXTURES" cpu-only --steps 8 --seed 2 >b.json &&
	"$TRACEQ" diff a.json b.json -n 3
