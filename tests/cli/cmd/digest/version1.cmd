# what version 1 wrote (two ranks of a job, few answers) is read, and goes into new files as it is
cp "$T/version1.tqd" version1.tqd
$TRACEQ ranks version1.tqd -q
$TRACEQ summary version1.tqd -q
$TRACEQ copies version1.tqd -q
$TRACEQ diff version1.tqd version1.tqd -q | head -n 12
$TRACEQ digest -q version1.tqd -o again.tqd
cmp version1.tqd again.tqd && echo the same bytes
