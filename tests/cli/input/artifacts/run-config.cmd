# S2-A1
"$FIXTURES" artifact run-config --rows 6 >f
"$TRACEQ" info f 2>&1
