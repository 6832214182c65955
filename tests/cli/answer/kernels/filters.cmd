"$FIXTURES" multi-gpu --steps 3 >t.json
"$TRACEQ" kernels t.json -f gemm --device 1 --steps 4-
"$TRACEQ" kernels t.json -f nothing_has_this_name
