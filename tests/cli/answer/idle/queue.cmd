# Two GPUs and one thread.  A step launches 400 kernels of 100 us for GPU 0, then one of 2 ms for GPU 1.
# GPU 0 takes 64 launches, then a launching call waits until the kernel 64 before has ended: a step is
# 400 x 101 us = 40.4 ms, of which GPU 1 works for 2 ms and waits for the full queue of GPU 0.
awk 'BEGIN {
	printf "{\"deviceProperties\":[{\"id\":0,\"name\":\"X\"},{\"id\":1,\"name\":\"X\"}],\"traceEvents\":["
	for (k = 0; k < 8; k++) {
		begin = t
		for (i = 0; i <= 400; i++) {
			gpu = i == 400
			us = gpu ? 2000 : 100
			back = t + 4
			if (!gpu && n >= 64 && end[n - 64] > back)
				back = end[n - 64]
			at = t + 6 > free[gpu] + 1 ? t + 6 : free[gpu] + 1
			free[gpu] = at + us
			if (!gpu)
				end[n++] = at + us
			c++
			printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d,\"args\":{\"correlation\":%d}},\n", t, back - t, c
			printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm%d\",\"pid\":%d,\"tid\":7,\"ts\":%d,\"dur\":%d,\"args\":{\"device\":%d,\"stream\":7,\"correlation\":%d}},\n", gpu, gpu, at, us, gpu, c
			t = back + 2
		}
		printf "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d}%s\n", k, begin, t - begin, k < 7 ? "," : "]}"
		t++
	}
}' >t.json
"$TRACEQ" idle t.json -n 3
"$TRACEQ" diagnose t.json -q | sed -n '/^verdict/p; /^where/,/^step/p; /G15/,/time$/p'
"$TRACEQ" summary t.json -q | grep 'full queue'
"$TRACEQ" gate t.json t.json --json -q | grep -c '"idle_other"'
