# steps are cut on the device; a queue held work from before the recording; no steps at all
"$FIXTURES" runs-ahead --steps 3 >t.json && "$TRACEQ" critical t.json -n 4
"$FIXTURES" serving-full-queue --steps 3 >t.json && "$TRACEQ" critical t.json -n 2
"$FIXTURES" gpu-only --steps 2 >t.json && "$TRACEQ" critical t.json -n 2
