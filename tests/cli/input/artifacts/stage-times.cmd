# S2-A4
"$FIXTURES" artifact stage-times --rows 6 >f
"$TRACEQ" info f 2>&1
