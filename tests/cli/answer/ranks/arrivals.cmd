# Each collective as each rank saw it; the same bytes whatever the order of files.
"$FIXTURES" multi-rank --all-ranks job --world 2 --layers 1 --steps 4 --clock-spread 10ms
"$TRACEQ" ranks job --list arrivals -n 8 --wide
"$TRACEQ" ranks job/rank0.json job/rank1.json --format json --table ranks >a.json
"$TRACEQ" ranks job/rank1.json job/rank0.json --format json --table ranks --threads 1 >b.json
grep -v '"inputs"' a.json >a && grep -v '"inputs"' b.json >b && cmp a b && echo same
