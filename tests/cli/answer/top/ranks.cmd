for r in 0 1; do "$FIXTURES" multi-rank --steps 2 --world 2 --rank "$r" --gzip >"r$r.json.gz"; done
"$TRACEQ" top r0.json.gz r1.json.gz -n 1
"$TRACEQ" top r0.json.gz r1.json.gz -n 1 --rank 1 --json | grep '"inputs"'
