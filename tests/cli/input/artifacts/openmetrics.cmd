# two scrapes of a server: rates of counters; TTFT of engine 0 by hand: 0.1 * 500 / 800 = 62.5 ms,
# 0.1 + 0.15 * 100 / 160 = 193.75 ms, 240.625 ms, and the begin of the last bucket; of engine 1 all lie below 0.25
"$FIXTURES" artifact openmetrics >f
"$TRACEQ" info f --wide 2>&1
"$TRACEQ" metrics f
# the first scrape alone: since the server started; in the two nothing was counted in between
grep -v ' 1725000010000$' f >one
"$TRACEQ" info one --wide 2>&1
"$TRACEQ" metrics one
# no times, no TYPE: a histogram is known by its buckets
grep -v '^#' f | sed 's/ 17250000[01]0000$//' | head -n 5 >g
"$TRACEQ" metrics g
