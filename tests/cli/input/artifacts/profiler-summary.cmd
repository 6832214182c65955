# S2-A3
"$FIXTURES" artifact profiler-summary --rows 6 >f
"$TRACEQ" info f 2>&1
