# samples of two GPUs, as a monitor writes them
"$FIXTURES" artifact rocm-smi-json >f
"$TRACEQ" info f -n 0 2>&1
