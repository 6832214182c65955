# the one-page answer about a trace
"$FIXTURES" dataloader-bound --steps 6 --memory >t.json
"$TRACEQ" report t.json
