# S0-A5
"$FIXTURES" artifact score-distribution --rows 6 >f
"$TRACEQ" info f 2>&1
