"$FIXTURES" dataloader-bound --steps 3 >t.json
"$TRACEQ" timeline t.json
"$TRACEQ" timeline t.json --slices 4 --lanes 1
"$TRACEQ" timeline t.json --slices 3 --format csv
"$TRACEQ" timeline t.json --slices 0; echo "exit $?"
