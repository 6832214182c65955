# S2-A5 S2-C
"$FIXTURES" artifact op-csv --rows 6 >f
"$TRACEQ" info f 2>&1
