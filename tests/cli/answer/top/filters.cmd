"$FIXTURES" multi-gpu --steps 3 >t.json
"$TRACEQ" top t.json -f gemm --device 1 --steps 4- -n 3
"$TRACEQ" top t.json -f 'aten::(mm|addmm)$' -v mm --cat cpu_op -n 3
"$TRACEQ" top t.json --steps 99
echo "exit $?"
