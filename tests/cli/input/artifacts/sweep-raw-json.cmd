# S4-A3
"$FIXTURES" artifact sweep-raw-json --rows 6 >f
"$TRACEQ" info f 2>&1
