# Ranks that are missing, doubled, of another job; ranks told by names; runs that are no job.
mkdir run
rank() { "$FIXTURES" multi-rank --rank "$1" --world 4 --steps 2 --slow-rank none "${@:2}"; }
for r in 0 1 3; do rank $r >run/rank$r.json; done
echo '== missing'
"$TRACEQ" copies run -n 1 2>&1
"$TRACEQ" summary run 2>&1 | head -4
"$TRACEQ" copies run -n 1 --rank 0,1 2>&1 | tail -2
echo '== doubled'
rank 1 --seed 7 >run/rank1_again.json
"$TRACEQ" copies run -n 1 -q 2>&1 | head -2
"$TRACEQ" info run 2>&1 >out; cat out | tail -8
rm run/rank1_again.json
echo '== foreign'
"$FIXTURES" multi-rank --rank 2 --world 8 --steps 2 >run/rank2.json
"$TRACEQ" copies run -n 1 2>&1
echo '== by name'
mkdir names
for r in 0 1; do sed '/"distributedInfo"/d' run/rank$r.json >names/rank$r.json; done
grep -c distributedInfo names/*
"$TRACEQ" copies names -n 1 2>&1
echo '== no job'
"$TRACEQ" copies run/rank0.json run/rank0.json -n 1 | grep :
cp run/rank0.json a.json && cp run/rank0.json b.json
"$FIXTURES" tiny >c.json
"$TRACEQ" copies a.json c.json | grep :
"$TRACEQ" copies c.json c.json | grep :
"$TRACEQ" steps a.json none.json b.json 2>&1 | grep :
