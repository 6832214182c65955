# A job of ranks, runs side by side, figures without a trace, and files of which another command knows.
mkdir job
for rank in 0 1; do "$FIXTURES" multi-rank --world 2 --rank $rank --steps 4 >job/rank$rank.json; done
"$TRACEQ" job
"$FIXTURES" healthy --steps 3 >a.json
"$FIXTURES" launch-bound --steps 3 >b.json
"$TRACEQ" a.json b.json
"$TRACEQ" a.json b.json --per-run | grep ^verdict
"$FIXTURES" artifact op-csv >ops.csv
"$TRACEQ" ops.csv | sed -n '/^next/,$p'
"$FIXTURES" artifact memory-snapshot >snapshot.pickle
"$TRACEQ" snapshot.pickle | head -n 3
