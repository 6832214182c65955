# without calls delays and queues are unknown, and nothing is 0
"$FIXTURES" gpu-only --steps 1 >t.json
"$TRACEQ" launches t.json -n 2
# The filters leave nothing: they may be why.
"$FIXTURES" tiny >tiny.json
"$TRACEQ" launches tiny.json --cat cpu_op | grep 'passes the filters'
