# What only the person knows to be a collective: by option, by file, by variable; --comm wins.
"$FIXTURES" healthy --steps 1 >t.json
"$TRACEQ" comms t.json --comm '^triton_|fused_?|flash_forward' --format csv | cut -d, -f1-8
echo 'comm: "flash_forward"' >traceq.yaml
"$TRACEQ" comms t.json --format csv | cut -d, -f1-3
"$TRACEQ" comms t.json --format csv --no-config
TRACEQ_COMM=flash "$TRACEQ" comms t.json --format csv | cut -d, -f1-3
"$TRACEQ" comms t.json --comm 'flash_backward' --format csv -q | cut -d, -f1-3
"$TRACEQ" config comm
echo 'comm: "a("' >traceq.yaml
"$TRACEQ" steps t.json
"$TRACEQ" steps t.json --no-config --comm 'a('
"$TRACEQ" stacks t.json --comm a
