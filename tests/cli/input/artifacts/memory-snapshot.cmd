"$FIXTURES" artifact memory-snapshot --rows 12 >f
"$TRACEQ" info f --wide
"$TRACEQ" info f --json | tr '{' '\n' | sed -n '/"from_begin"/p'
