# S0-A2
"$FIXTURES" artifact memory-log --rows 6 >f
"$TRACEQ" info f 2>&1
