# S4-A5
"$FIXTURES" artifact label-mappings --rows 6 >f
"$TRACEQ" info f 2>&1
