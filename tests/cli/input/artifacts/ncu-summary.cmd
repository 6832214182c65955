# kernels of Nsight Compute
"$FIXTURES" artifact ncu-summary >f
"$TRACEQ" info f 2>&1
