"$FIXTURES" dataloader-bound --steps 3 >t.json && "$TRACEQ" critical t.json
