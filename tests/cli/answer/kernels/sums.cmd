# Sums of Nsight Systems: kernels, device work and calls; microseconds and nanoseconds are one time.
for n in nsys-stats nsys-kernels-us nsys-kernels-old; do
	"$FIXTURES" artifact "$n" >"$n"
	"$TRACEQ" kernels "$n" -q --format csv | cut -d, -f1,3,4,6,7 >"$n.csv"
done
"$TRACEQ" kernels nsys-stats
cmp nsys-stats.csv nsys-kernels-us.csv && cmp nsys-stats.csv nsys-kernels-old.csv && echo "all three say the same"
"$TRACEQ" top nsys-stats -q
"$TRACEQ" metrics nsys-stats -q
echo "== a kernel that takes a quarter longer"
sed 's/410000/512500/' nsys-stats >slow
"$TRACEQ" gate nsys-stats slow -q --wide | grep -v ^pass
echo "== a file of calls has no kernels"
grep -A4 cuda_api_sum nsys-stats >calls
"$TRACEQ" top calls -q
"$TRACEQ" kernels calls
echo "exit $?"
