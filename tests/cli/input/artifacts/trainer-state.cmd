# S2-A9
"$FIXTURES" artifact trainer-state --rows 6 >f
"$TRACEQ" info f 2>&1
