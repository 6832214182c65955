# S2-A9
"$FIXTURES" artifact stage-list --rows 6 >f
"$TRACEQ" info f 2>&1
