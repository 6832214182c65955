# traceq FILE: what it is, the verdict, where a step goes, findings, bottlenecks, and what is next.
"$FIXTURES" dataloader-bound --steps 6 >trace.json
"$TRACEQ" trace.json
echo "exit $?"
"$TRACEQ" overview trace.json >long
"$TRACEQ" trace.json | cmp - long && echo "the same"
"$TRACEQ" - <trace.json | grep -c next
gzip -c trace.json >top
"$TRACEQ" ./top --steps 4 -q | head -n 1
