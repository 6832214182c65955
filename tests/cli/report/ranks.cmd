# several ranks: beside each other, and which is the slowest
for r in 0 1 2 3; do "$FIXTURES" multi-rank --rank $r --world 4 --steps 3 >rank$r.json; done
"$TRACEQ" report -q rank?.json | head -30
