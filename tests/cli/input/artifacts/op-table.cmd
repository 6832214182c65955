# S1-A2 S4-A4
"$FIXTURES" artifact op-table --rows 6 >f
"$TRACEQ" info f 2>&1
