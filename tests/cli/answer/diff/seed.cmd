# The tables of the documents, with their headings, widths and decimals.
"$FIXTURES" healthy --steps 8 --memory >a.json && "$FIXTURES" dataloader-bound --steps 8 --memory >b.json &&
	"$TRACEQ" diff a.json b.json --format seed -q
