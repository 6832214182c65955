# Checks by option: ops by regex, sizes and times, names that nobody knows.
"$FIXTURES" healthy --steps 8 --seed 1 --memory >a.json
"$FIXTURES" comm-bound --steps 8 --seed 2 --memory >b.json
"$TRACEQ" gate a.json b.json --check op:nccl=5% --check 'op:gemm|GEMM=5%' --check cpu:aten::=50% --check peak_memory=1GiB
echo "exit $?"
"$TRACEQ" gate b.json a.json --check exposed_memcpy=5ms --check 'op:^nothing$=5%' --fail-on skip
echo "exit $?"
"$TRACEQ" gate a.json b.json --check stepp_time=5%
echo "exit $?"
"$TRACEQ" gate a.json b.json --check step_time
echo "exit $?"
"$TRACEQ" gate a.json b.json --check step_time=5x
echo "exit $?"
"$TRACEQ" gate a.json b.json --check 'op:(=5%'
echo "exit $?"
"$TRACEQ" gate a.json b.json --noise much
echo "exit $?"
"$TRACEQ" gate a.json b.json --warmup 100
echo "exit $?"
