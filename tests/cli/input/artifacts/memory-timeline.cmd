# S1-A5
"$FIXTURES" artifact memory-timeline --rows 6 >f
"$TRACEQ" info f 2>&1
