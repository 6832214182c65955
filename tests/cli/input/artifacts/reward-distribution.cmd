# S0-A6
"$FIXTURES" artifact reward-distribution --rows 6 >f
"$TRACEQ" info f 2>&1
