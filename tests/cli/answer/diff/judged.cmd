# What the verdict of the step leaves out is said beside it.
first() { "$TRACEQ" diff "$@" -n 1 2>/dev/null | sed '/^$/,$d'; }

# 1. 0.4 s of Python in one step of eight, which is not judged
"$FIXTURES" healthy --steps 8 >healthy.json
"$FIXTURES" one-gap --steps 8 >gap.json
"$FIXTURES" one-gap --steps 8 --seed 2 >again.json
echo "== an odd step on one side, and on both"
first healthy.json gap.json
first gap.json again.json

# 2. a side without marks of steps: no cause is named
"$FIXTURES" healthy --steps 8 --layout compact | grep -v ProfilerStep >unmarked.json
echo "== steps are not marked"
first healthy.json unmarked.json
first unmarked.json healthy.json

# 3. the slow rank has no trace; nor has any but the first
"$FIXTURES" multi-rank --all-ranks base --world 4 --steps 6 --slow-rank none
"$FIXTURES" multi-rank --all-ranks new --world 4 --steps 6 --slow-rank 1 --seed 2
rm new/*rank1*
mkdir alone
cp new/*rank0* alone
echo "== ranks without a trace"
first base new
first base alone
