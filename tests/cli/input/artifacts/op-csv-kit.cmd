# S2-A9
"$FIXTURES" artifact op-csv-kit --rows 6 >f
"$TRACEQ" info f 2>&1
