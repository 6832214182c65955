# samples of two GPUs, as a monitor writes them
"$FIXTURES" artifact dcgm-dmon >f
"$TRACEQ" info f -n 0 2>&1
