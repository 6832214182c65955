# S0-A3
"$FIXTURES" artifact metric-tracker --rows 6 >f
"$TRACEQ" info f 2>&1
