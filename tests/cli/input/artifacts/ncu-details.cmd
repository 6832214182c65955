# kernels of Nsight Compute
"$FIXTURES" artifact ncu-details >f
"$TRACEQ" info f 2>&1
