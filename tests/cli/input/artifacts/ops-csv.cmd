# S2-A9
"$FIXTURES" artifact ops-csv --rows 6 >f
"$TRACEQ" info f 2>&1
