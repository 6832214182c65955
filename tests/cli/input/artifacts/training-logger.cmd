# S0-A4 S0-A6
"$FIXTURES" artifact training-logger --rows 6 >f
"$TRACEQ" info f 2>&1
