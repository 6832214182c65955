# traceq alone: what lies here, and what to type about exactly that.
"$FIXTURES" tiny >run.json
"$TRACEQ"
echo "exit $?"
"$FIXTURES" tiny --seed 2 >slow.json
mkdir job
for rank in 0 1; do "$FIXTURES" multi-rank --world 2 --rank $rank --steps 2 >job/rank$rank.json; done
"$TRACEQ" baseline add store run.json -q
"$TRACEQ" | sed 's/  *[0-9.]* [KM]*i*B  /  SIZE  /'
"$TRACEQ" | head -n 1
"$TRACEQ" >/dev/full
echo "exit $?"
