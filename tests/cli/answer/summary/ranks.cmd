# Ranks side by side, never mixed; --rank chooses.
for r in 0 1; do "$FIXTURES" multi-rank --rank $r --world 2 --steps 2 >rank$r.json; done
"$TRACEQ" summary rank0.json rank1.json
"$TRACEQ" summary rank0.json rank1.json --per-run
"$TRACEQ" summary rank0.json rank1.json --rank 1 | head -n 3
