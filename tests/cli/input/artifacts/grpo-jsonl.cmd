# S0-A6
"$FIXTURES" artifact grpo-jsonl --rows 6 >f
"$TRACEQ" info f 2>&1
