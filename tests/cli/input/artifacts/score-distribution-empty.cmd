# S0-A5
"$FIXTURES" artifact score-distribution-empty --rows 6 >f
"$TRACEQ" info f 2>&1
