# samples of two GPUs, as a monitor writes them
"$FIXTURES" artifact smi-pmon >f
"$TRACEQ" info f -n 0 2>&1
