# The guides' limits on a run drawn by hand. Steps of 10 and 14 ms in turn, of which forward takes 3,
# backward 6 and the optimizer 1 ms; a step has a bmm kernel of 2 ms with 0.25 blocks per SM, a softmax
# of 1 ms and 8 kernels of 50 us, 400 us apart; reserved memory falls and rises in each.
#
# G17: of 8 steps 6 count, 3 of each: 2.19 of 12 ms, 18.3 %. G18: 30, 60, 10 %. G19: 8 of 10 kernels.
# G20: 2 of 3.4 ms. G21: 4 GiB reserved, 1 GiB allocated. G22: 3 of 12 ms.
draw() { # the name of the first kernel's op and kernel, cudaMallocs of 100 us in each step
	awk -v op="$1" -v kernel="$2" -v mallocs="${3:-0}" '
	function event(cat, name, pid, tid, ts, dur, args) {
		printf ",\n{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %s, \"tid\": %s, \"ts\": %d, \"dur\": %d, \"args\": {%s}}",
			cat, name, pid, tid, ts, dur, args }
	function work(op, kernel, ts, dur, blocks) {
		id++
		event("cpu_op", op, 1, 1, ts - 20, 10, "\"External id\": " id)
		event("cuda_runtime", "cudaLaunchKernel", 1, 1, ts - 18, 6, "\"External id\": " id ", \"correlation\": " id)
		event("kernel", kernel, 0, 7, ts, dur, "\"External id\": " id ", \"correlation\": " id ", \"device\": 0, \"stream\": 7, \"blocks per SM\": " blocks) }
	function memory(ts, allocated, reserved) {
		printf ",\n{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"s\": \"t\", \"args\": {\"Device Type\": 1, \"Device Id\": 0, \"Bytes\": 1024, \"Addr\": 1, \"Total Allocated\": %.0f, \"Total Reserved\": %.0f}}",
			ts, allocated, reserved }
	BEGIN {
		gib = 1073741824; t = 1000
		printf "{\"deviceProperties\": [{\"id\": 0, \"name\": \"A100\", \"totalGlobalMem\": %.0f}], \"traceEvents\": [\n", 40 * gib
		printf "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"tid\": 0, \"ts\": 0, \"args\": {\"name\": \"python\"}}"
		for (i = 0; i < 8; i++) {
			step = i % 2 ? 14000 : 10000
			event("user_annotation", "ProfilerStep#" i, 1, 1, t, step, "")
			event("user_annotation", "forward_pass", 1, 1, t, 3000, "")
			event("user_annotation", "backward_pass", 1, 1, t + 3000, 6000, "")
			event("user_annotation", "optimizer_step", 1, 1, t + 9000, 1000, "")
			memory(t + 100, gib, 4 * gib)
			memory(t + 5000, gib / 2, 2 * gib)
			work(op, kernel, t + 100, 2000, 0.25)
			work("aten::_softmax", "softmax_warp_forward", t + 2500, 1000, 2)
			for (k = 0; k < 8; k++)
				work("aten::add", "vectorized_elementwise_kernel", t + 4000 + 450 * k, 50, 4)
			for (k = 0; k < mallocs; k++)
				event("cuda_runtime", "cudaMalloc", 1, 1, t + 8000 + 150 * k, 100, "")
			t += step
		}
		print "\n]}" }'
}
draw aten::bmm ampere_sgemm_128x64_nn >plain.json
"$TRACEQ" diagnose plain.json --rules G11,G17,G18,G19,G20,G21,G22 -q
"$TRACEQ" diagnose plain.json --rules G17,G18,G19,G20,G21,G22 -q --json | grep -o '"value_ratio": [0-9.]*' | tr '\n' ' '
echo
draw aten::_flash_attention_forward flash_fwd_kernel >flash.json
"$TRACEQ" diagnose flash.json --rules G22 -q | tail -n 2
"$FIXTURES" launch-bound --steps 8 >short.json
"$TRACEQ" diagnose short.json --rules G19 -q | tail -n 3
"$TRACEQ" explain G19
echo "== matrix products and softmax: 2 and 1 of 3.4 ms of device time"
"$TRACEQ" top plain.json -q | sed -n '/^self/,/total$/p'
echo "== cudaMalloc: once in a step is no finding, 3 of 100 us are 2.5 % of 12 ms"
for n in 0 1 3; do
	draw aten::bmm ampere_sgemm_128x64_nn $n >malloc.json
	"$TRACEQ" diagnose malloc.json --rules G08 -q | sed -n '/G08/,$p' | grep -v explain
done
echo "== 4 GiB of 40, 4.5, 4.15 and 4.05 GiB"
for size in 42949672960 4831838208 4456028570 4348654388; do
	sed "s/\"totalGlobalMem\": [0-9]*/\"totalGlobalMem\": $size/" plain.json >full.json
	"$TRACEQ" diagnose full.json --rules G11 -q | sed -n '/G11/,$p' | grep -v explain
done
echo "== utilisation by nvidia-smi: the guide's target, CPU bottleneck, serious"
for busy in 87 75 65 42; do
	printf 'timestamp, name, utilization.gpu [%%], memory.used [MiB]\n' >gpu_usage.csv
	for i in 0 1 2 3; do
		printf '2025/11/30 12:00:0%d.123, NVIDIA A100, %d %%, 30123 MiB\n' $i $busy >>gpu_usage.csv
	done
	"$TRACEQ" diagnose gpu_usage.csv --rules R05 -q | sed -n '/R05/,/^$/p'
done
