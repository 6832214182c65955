# S0-A5 S0-A6
"$FIXTURES" artifact samples-jsonl --rows 6 >f
"$TRACEQ" info f 2>&1
