# S4-A3
"$FIXTURES" artifact sweep-raw-csv --rows 6 >f
"$TRACEQ" info f 2>&1
