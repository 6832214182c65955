# S4-A2
"$FIXTURES" artifact sweep-csv --rows 6 >f
"$TRACEQ" info f 2>&1
