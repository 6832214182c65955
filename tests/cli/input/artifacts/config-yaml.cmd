# S4-A5
"$FIXTURES" artifact config-yaml --rows 6 >f
"$TRACEQ" info f 2>&1
