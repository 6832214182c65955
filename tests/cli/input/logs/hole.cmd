# A hole of zeros, as a crash leaves it, and bytes that are no text: the lines around are read.
seq 100 | sed 's/.*/iter &: loss 2.5, time 100.00ms, mfu 12.00%/' >whole
{ head -n 40 whole; head -c 4096 /dev/zero; printf '\n\377\376\200\n'; tail -n 60 whole; } >log
"$TRACEQ" metrics log --format csv --warmup 0 -q 2>&1 | cut -d, -f1-4
