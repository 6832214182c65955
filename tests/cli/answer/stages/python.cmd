# annotations, regions on the device, modules
"$FIXTURES" python-stacks --steps 2 >t.json
"$TRACEQ" stages t.json -n 6
