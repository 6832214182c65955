# Memory ran out though enough of it was free: no block was large enough.
"$FIXTURES" artifact memory-snapshot-oom >s
"$TRACEQ" memory s
echo == machines
"$TRACEQ" memory s --format json | tr '{' '\n' | grep '"why"'
