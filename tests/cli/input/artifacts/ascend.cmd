# tables of Ascend's profiler: a row a kernel (120.5 + 121.5 + 122.5 us), sums by kind, calls, steps
for f in kernels ops api steps; do
	"$FIXTURES" artifact ascend-$f >$f
done
"$TRACEQ" kernels kernels
"$TRACEQ" top ops
"$TRACEQ" top api
"$TRACEQ" metrics steps
