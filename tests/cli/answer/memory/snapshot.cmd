# What an allocator holds and did: figures as fixtures/artifact_snapshot.c draws them.
"$FIXTURES" artifact memory-snapshot --rows 25 >s
"$TRACEQ" memory s --wide
echo == one device, machines
"$TRACEQ" memory s --device 1 --format json --points 2 | tr '{' '\n' | grep '"fragmented_bytes"'
"$TRACEQ" memory s --format csv | head -n 2
echo == compressed, and from a pipe
gzip -c s | "$TRACEQ" memory - | head -n 3
echo == filters that mean nothing in it
"$TRACEQ" memory s --stream 0 -f x | tail -n 2
"$TRACEQ" memory s --device 5
echo "exit $?"
