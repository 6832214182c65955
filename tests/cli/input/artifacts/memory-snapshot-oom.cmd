"$FIXTURES" artifact memory-snapshot-oom >f
"$TRACEQ" info f --wide
"$TRACEQ" info f --json | tr '{' '\n' | sed -n '/"from_begin"/p'
