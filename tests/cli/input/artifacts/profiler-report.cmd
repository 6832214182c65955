# S2-A7
"$FIXTURES" artifact profiler-report --rows 6 >f
"$TRACEQ" info f 2>&1
