# S2-A9
"$FIXTURES" artifact sysinfo --rows 6 >f
"$TRACEQ" info f 2>&1
