# Perfetto's protobuf: known by content, in any container; what it cannot tell is not there.
"$FIXTURES" tiny --layout pftrace >t.pftrace
"$FIXTURES" tiny --layout perfetto >t.perfetto
gzip -nc t.pftrace >t.pftrace.gz
echo "== by name, by content, packed, through a pipe"
"$TRACEQ" kernels t.pftrace >want
cp t.pftrace noname
"$TRACEQ" kernels noname | cmp - want && "$TRACEQ" kernels t.pftrace.gz | cmp - want
"$TRACEQ" kernels - <t.pftrace | cmp - want && cat want
echo "== what is said of it"
"$TRACEQ" info t.pftrace 2>&1 | grep -a '^producer\|^state\|^gpu \|^  0 \|^operators\|^flows'
"$TRACEQ" info t.perfetto 2>&1 | grep -a '^producer\|^state'
"$TRACEQ" check t.perfetto 2>&1 | grep -a 'other_data\|^reliable\|^verdict'
echo "== cut"
head -c 2500 t.pftrace >cut.pftrace
"$TRACEQ" top -n 1 cut.pftrace 2>&1 >/dev/null
"$TRACEQ" top --strict cut.pftrace
echo "exit $?"
head -c 40 t.pftrace >begun.pftrace
"$TRACEQ" top begun.pftrace
echo "exit $?"
echo "== packets of the kernel alone"
printf '\x0a\x06\x0a\x02\x08\x01\x50\x01\x0a\x06\x0a\x02\x08\x02\x50\x01\x0a\x04\x3a\x00\x50\x01' >ftrace.pftrace
"$TRACEQ" top ftrace.pftrace
echo "exit $?"
echo "== another protobuf"
printf '\x0a\x09\x08\x01\x12\x03gpu\x1a\x00\x0a\x04\x08\x02\x12\x00' >space.pb
"$TRACEQ" top space.pb
echo "exit $?"
