# A hole of zeros, as a crash leaves it, and bytes that are no text: the lines around are read.
seq 100 | sed 's/.*/iter &: loss 2.5, time 100.00ms, mfu 12.00%/' >whole
{ head -n 40 whole; head -c 4096 /dev/zero; printf '\n\377\376\200\n'; tail -n 60 whole; } >log
"$TRACEQ" metrics log --format csv --warmup 0 -q 2>&1 | cut -d, -f1-4
echo "what of it is said, by itself and in front of all text (as where a log was cut while it was written)"
"$TRACEQ" metrics log --warmup 0 2>&1 >/dev/null | grep -o '[0-9]* NUL bytes.*'
{ head -c 20000000 /dev/zero; cat whole; } >cut
"$TRACEQ" metrics cut --warmup 0 2>&1 >/dev/null | grep -o '[0-9]* NUL bytes.*'
"$TRACEQ" metrics cut --format csv --warmup 0 -q 2>&1 | cut -d, -f1-4
