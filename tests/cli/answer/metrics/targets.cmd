# when targets were reached, what a million tokens cost, how much of the GPUs a model uses
"$FIXTURES" artifact jsonl >log
"$TRACEQ" metrics log -q --target loss=1.5 --target reward=0.4 --target loss=-1 --price 2.5 |
	sed -n '/^targets/,$p'
"$TRACEQ" metrics log --target nothing=1 >/dev/null
"$FIXTURES" artifact trainer-state >state
"$TRACEQ" metrics state -q --peak-tflops 0.0001 | sed -n '/^throughput/,$p'
for t in loss loss=x =1; do
	"$TRACEQ" metrics log --target "$t"
	echo "$?"
done
