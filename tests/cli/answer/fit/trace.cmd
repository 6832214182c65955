# the GPU is the trace's
"$FIXTURES" healthy --steps 1 >t.json
"$TRACEQ" fit --params 7B --regime zero3 t.json
