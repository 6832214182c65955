# One run a side: noise is assumed, and said; noisy and weak are not failures.
"$FIXTURES" healthy --steps 8 --seed 1 >a.json
"$FIXTURES" healthy --steps 8 --seed 2 >b.json
"$FIXTURES" dataloader-bound --steps 8 >slow.json
"$TRACEQ" gate a.json slow.json
echo "exit $?"
"$TRACEQ" gate b.json a.json --check step_time=0%
echo "exit $?"
"$TRACEQ" gate b.json a.json --check step_time=0% --fail-on noisy >/dev/null
echo "exit $?"
"$TRACEQ" gate b.json a.json --check step_time=0% --gate-on estimate
echo "exit $?"
"$TRACEQ" gate b.json a.json --check step_time=0% --noise 0.01%
echo "exit $?"
# Fewer steps than can tell anything.
"$FIXTURES" healthy --steps 2 >few.json
"$TRACEQ" gate few.json a.json
echo "exit $?"
"$TRACEQ" gate few.json a.json --gate-on estimate
echo "exit $?"
