# what a trace allows, and why not the rest
"$FIXTURES" comm-bound --steps 2 >t.json
"$TRACEQ" plot --list t.json
# a trace without events allows none
echo '{"traceEvents": []}' >empty.json
"$TRACEQ" plot --list -q empty.json | grep -c ' yes ' || true
