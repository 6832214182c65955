# S0 S1-A5
"$FIXTURES" artifact step-log --rows 6 >f
"$TRACEQ" info f 2>&1
