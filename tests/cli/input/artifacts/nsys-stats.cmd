# sums of Nsight Systems
"$FIXTURES" artifact nsys-stats >f
"$TRACEQ" info f 2>&1
