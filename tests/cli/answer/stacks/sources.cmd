# the op tree alone when nothing else was recorded; asking for more is an error
"$FIXTURES" tiny >t.json
"$TRACEQ" stacks t.json -n 5
"$TRACEQ" stacks t.json --source python
echo "$?"
"$TRACEQ" stacks t.json --metric device -f Launch --json | tr ',' '\n' | grep -c device_ns
