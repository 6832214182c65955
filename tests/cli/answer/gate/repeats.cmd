# Three runs a side: noise is measured.  A slow data loader fails; a side against itself passes.
for i in 1 2 3; do
	mkdir -p base/run$i slow/run$i
	"$FIXTURES" healthy --steps 8 --seed $i >base/run$i/trace.json
	"$FIXTURES" dataloader-bound --steps 8 --seed 1$i >slow/run$i/trace.json
done
"$TRACEQ" gate base slow
echo "exit $?"
"$TRACEQ" gate base base
echo "exit $?"
"$TRACEQ" gate slow base --tier nightly
echo "exit $?"
"$TRACEQ" gate base slow --threads 1 >one; "$TRACEQ" gate base slow --threads 2 >two
cmp one two && echo "same with one and two threads"
# Any order of the operands' files, labels, groups around vs.
"$TRACEQ" gate good=base/run2 good=base/run1 good=base/run3 bad=slow -q | head -1
"$TRACEQ" gate base/run1 base/run2 base/run3 vs slow/run1 slow/run2 slow/run3 -q | head -1
