# S1-A2 S1-A5 S1-A6
"$FIXTURES" artifact run-log --rows 6 >f
"$TRACEQ" info f 2>&1
