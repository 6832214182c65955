# S1-A4
"$FIXTURES" artifact speedscope --rows 6 >f
"$TRACEQ" info f 2>&1
