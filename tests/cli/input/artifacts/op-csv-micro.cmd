# S2-A5
"$FIXTURES" artifact op-csv-micro --rows 6 >f
"$TRACEQ" info f 2>&1
