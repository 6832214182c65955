# S2-A6
"$FIXTURES" artifact memory-stats --rows 6 >f
"$TRACEQ" info f 2>&1
