# S2-A3
"$FIXTURES" artifact torch-profiler-summary --rows 6 >f
"$TRACEQ" info f 2>&1
