# a log of MLPerf training
"$FIXTURES" artifact mlperf-rgat >f
"$TRACEQ" info f 2>&1
