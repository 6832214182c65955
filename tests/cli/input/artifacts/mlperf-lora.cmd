# a log of MLPerf training
"$FIXTURES" artifact mlperf-lora >f
"$TRACEQ" info f 2>&1
