# A summary of ncu, by hand: gemm is 2 x 200 us (100 to 300) of one shape and 1 x 50 us of another: 3 calls, 450 us, 50 to 300,
# occupancy (54 x 400 + 60 x 50) / 450 = 54.7 %, 2 x 60 + 5 = 125 MB = 119.2 MiB, no grid; copy is 1000 x 25 us = 25 ms.
"$FIXTURES" artifact ncu-summary >sum.csv
"$TRACEQ" kernels sum.csv
"$TRACEQ" top sum.csv -q --sort gpu
echo "== by ranges of NVTX: what stands before the sections tells them apart"
sed -e 's/"Device","CC","Invocations"/"NVTX Range","CC","Invocations"/' -e '/512, 1, 1/s/"0","9.0"/"step","9.0"/' sum.csv >nvtx.csv
"$TRACEQ" kernels nvtx.csv -q --format csv | cut -d, -f1-4
echo "== of GPUs: no kernels"
sed -e 's/"Kernel Name","Block Size","Grid Size",//' -e 's/"127.0.0.1","[^"]*","[^"]*","[^"]*"/"127.0.0.1"/' sum.csv >gpu.csv
"$TRACEQ" kernels gpu.csv
echo "exit $?"
echo "== a run's folder and another: gate"
sed 's/"300.00","200.00"/"700.00","400.00"/' sum.csv >slow.csv
"$TRACEQ" gate sum.csv slow.csv -q | grep -v ^pass
echo "== hostile: counts that are none, a cut line"
sed -e 's/"1000"/"-3"/' -e '0,/,"2",/s//,"1e99",/' sum.csv | head -c 2600 >odd.csv
"$TRACEQ" kernels odd.csv --format csv | cut -d, -f1-4
