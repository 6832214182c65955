# what version 1 wrote (two ranks of a job, few answers) is read, and goes into new files as it is
$TRACEQ ranks "$T/version1.tqd" -q
$TRACEQ summary "$T/version1.tqd" -q
$TRACEQ copies "$T/version1.tqd" -q
$TRACEQ diff "$T/version1.tqd" "$T/version1.tqd" -q | head -n 12
$TRACEQ digest -q "$T/version1.tqd" -o again.tqd
cmp "$T/version1.tqd" again.tqd && echo the same bytes
