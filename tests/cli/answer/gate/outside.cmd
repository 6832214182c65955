# GPU work outside of all steps.  Eight steps of the CPU launch 40 kernels each, and are ahead of the GPU.
# Linked to their launches, steps are cut on the GPU: 40 kernels and 40 gaps of 1 us.  Without links
# they are cut on the CPU, 360 us each, and most of the work is in none of them.
make() { # us of a kernel, whether work is linked
	awk -v us="$1" -v linked="$2" 'BEGIN {
	printf "{\"deviceProperties\":[{\"id\":0,\"name\":\"X\"}],\"traceEvents\":["
	for (k = 0; k < 8; k++) {
		for (i = 0; i < 40; i++) {
			t = 361 * k + 9 * i
			id = linked ? sprintf(",\"correlation\":%d", ++c) : ""
			printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":4,\"args\":{\"x\":0%s}},\n", t, id
			at = t + 6 > end + 1 ? t + 6 : end + 1
			end = at + us
			printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d,\"args\":{\"device\":0,\"stream\":7%s}},\n", at, us, id
		}
		printf "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":360}%s\n", k, 361 * k, k < 7 ? "," : "]}"
	}}'
}
make 300 1 >linked.json
make 300 0 >base.json
make 600 0 >slow.json
echo "== steps that are cut in another way are no steps to compare"
"$TRACEQ" gate linked.json base.json
echo "exit $?"
"$TRACEQ" diff linked.json base.json --exit-code
echo "exit $?"
"$TRACEQ" gate linked.json base.json --allow-env steps -q | head -n 1
"$TRACEQ" diff linked.json base.json --allow-env steps -q | head -n 1
echo "== the same way: 12.04 ms a step, then 24.04"
"$TRACEQ" gate base.json slow.json
echo "exit $?"
"$TRACEQ" diff base.json slow.json
"$TRACEQ" gate base.json base.json -q | grep step_time
echo "== digests say it, too; those of before do not, and are compared by their steps"
"$TRACEQ" digest linked.json -o linked.tqd -q
"$TRACEQ" digest base.json -o base.tqd -q
"$TRACEQ" digest slow.json -o slow.tqd -q
"$TRACEQ" gate linked.tqd base.tqd 2>&1 | head -n 1
"$TRACEQ" gate base.tqd slow.json -q | grep -E 'step_time|compute'
"$TRACEQ" diff base.tqd slow.tqd -q | head -n 1
echo "== and stores"
"$TRACEQ" baseline add store.jsonl base.json -q
"$TRACEQ" gate store.jsonl slow.json -q
echo "exit $?"
"$TRACEQ" gate store.jsonl linked.json 2>&1
echo "exit $?"
echo "== stores of before say nothing of it, and hold the steps as they are cut"
echo '{"schema": "traceq.baseline/1", "time": 1795940332, "label": "base", "metrics": {"step_time": {"value": 360000, "unit": "ns", "better": "lower", "count": 6}}}' >old.jsonl
"$TRACEQ" gate old.jsonl base.json 2>&1
echo "exit $?"
