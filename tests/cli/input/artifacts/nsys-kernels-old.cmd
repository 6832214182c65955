# sums of Nsight Systems
"$FIXTURES" artifact nsys-kernels-old >f
"$TRACEQ" info f 2>&1
