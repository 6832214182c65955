# Collectives against what the device's links can do; unknown of a device whose links are not known.
"$FIXTURES" multi-rank --steps 2 --world 3 --all-ranks job >/dev/null
COLUMNS=140 "$TRACEQ" roofline job/rank0.json -n 2
echo "== comms"
COLUMNS=140 "$TRACEQ" comms job/rank0.json | sed -n '/^collectives$/,/^$/p'
echo "== no links"
COLUMNS=140 "$TRACEQ" roofline job/rank0.json -n 1 --peak L4
echo "== a measured one"
COLUMNS=140 "$TRACEQ" roofline job/rank0.json -n 1 -q --peak link=100G | sed -n '/^links/p;/^ops$/,/^$/p'
echo "== the job"
COLUMNS=80 "$TRACEQ" roofline job -q -n 3 | sed -n '/^ops, /,$p'
