# sums of Nsight Systems
"$FIXTURES" artifact nsys-kernels-us >f
"$TRACEQ" info f 2>&1
