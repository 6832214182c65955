"$FIXTURES" artifact flight-recorder >f
"$TRACEQ" info f --wide
"$TRACEQ" info f --json | tr '{' '\n' | sed -n '/"record_id"/p;/"last_enqueued"/p' | sed -n '/: [0-9n"]/p'
