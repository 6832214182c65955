# Experts on other devices: no NCCL at all; one collective says so by its op alone.
"$FIXTURES" expert-dispatch --steps 2 >t.json && "$TRACEQ" comms t.json && "$TRACEQ" top t.json --by kernel -n 0 --format json -q | grep -o "\"name\": *\"[^(<]*\|\"is_comm\": *[a-z]*"
