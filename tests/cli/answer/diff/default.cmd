"$FIXTURES" healthy --steps 8 >base.json && "$FIXTURES" dataloader-bound --steps 8 >new.json &&
	"$TRACEQ" diff base.json new.json -n 4
