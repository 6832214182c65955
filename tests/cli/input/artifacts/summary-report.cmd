# S4-A5
"$FIXTURES" artifact summary-report --rows 6 >f
"$TRACEQ" info f 2>&1
