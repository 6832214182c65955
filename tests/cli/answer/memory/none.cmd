# a trace without allocator events
"$FIXTURES" cpu-only --steps 1 >t.json
"$TRACEQ" memory t.json
