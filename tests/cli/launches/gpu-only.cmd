# without calls delays and queues are unknown, and nothing is 0
"$FIXTURES" gpu-only --steps 1 >t.json
"$TRACEQ" launches t.json -n 2
