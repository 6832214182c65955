# bandwidth of collectives
"$FIXTURES" artifact deepspeed-comms >f
"$TRACEQ" info f 2>&1
"$TRACEQ" metrics f
