# S0-A1
"$FIXTURES" artifact profile --rows 6 >f
"$TRACEQ" info f 2>&1
