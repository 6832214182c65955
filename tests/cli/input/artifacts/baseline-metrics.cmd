# S4-A1
"$FIXTURES" artifact baseline-metrics --rows 6 >f
"$TRACEQ" info f 2>&1
