# without calls delays and queues are unknown, and nothing is 0
"$FIXTURES" gpu-only --steps 1 >t.json
"$TRACEQ" launches t.json -n 2
# A device that is not there: the filter may be why.
"$FIXTURES" tiny >tiny.json
"$TRACEQ" launches tiny.json --device 7 | grep 'passes the filters'
