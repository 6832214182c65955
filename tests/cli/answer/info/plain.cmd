"$FIXTURES" multi-rank --steps 2 --world 4 --rank 2 --memory >t.json && "$TRACEQ" info t.json
