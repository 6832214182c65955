# one call, hundreds of kernels
"$FIXTURES" graphs --steps 2 >t.json
"$TRACEQ" launches t.json -n 3
