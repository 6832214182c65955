# kernels of Nsight Compute
"$FIXTURES" artifact ncu-raw >f
"$TRACEQ" info f 2>&1
