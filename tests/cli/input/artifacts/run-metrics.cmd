# S2-A2
"$FIXTURES" artifact run-metrics --rows 6 >f
"$TRACEQ" info f 2>&1
