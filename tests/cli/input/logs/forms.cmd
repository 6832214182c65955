# A log of each program the table of forms names.
say() {
	"$TRACEQ" metrics log --format csv -q 2>&1 | cut -d, -f1-4
}
cat >log <<'L'
 iteration      100/  500000 | consumed samples:        51200 | elapsed time per iteration (ms): 1234.5 | throughput per GPU (TFLOP/s/GPU): 151.2 | learning rate: 1.5E-04 | global batch size:   512 | lm loss: 6.5E+00 | loss scale: 1.0 | grad norm: 1.2 | number of skipped iterations:   0 | number of nan iterations:   0 |
 [2025-11-30 12:00:00] iteration      200/  500000 | consumed samples:       102400 | elapsed time per iteration (ms): 1230.5 | throughput per GPU (TFLOP/s/GPU): 151.8 | learning rate: 1.5E-04 | global batch size:   512 | lm loss: 6.0E+00 | loss scale: 1.0 | grad norm: 1.1 | number of skipped iterations:   0 | number of nan iterations:   0 |
L
say
printf '[rank0]:[titan] 2025-11-30 12:00:0%d,000 - root - INFO - \033[31mstep: %2d  \033[32mloss: %7.4f  \033[33mmemory: %s(66.1%%)  \033[34mtps: 1,206  \033[36mtflops: 2.90  \033[35mmfu: 0.93%%\033[39m\n' 1 1 8.25 5.28GiB 2 10 7.5 950.00MiB >log
say
printf 'iter %d: loss %s, time 132.5ms, mfu 12.3%%\n' 10 4.2 20 4.1 >log
echo 'step 250: train loss 2.41, val loss 2.43' >>log
say
printf 'steps: %d loss: 0.5 iter time (s): 0.3 samples/sec: 100.1\n' 10 20 >log
say
printf 'INFO 11-30 12:00:00 [loggers.py:111] Engine 000: Avg prompt throughput: %s tokens/s, Avg generation throughput: 50.5 tokens/s, Running: 3 reqs, Waiting: 0 reqs, GPU KV cache usage: 2.5%%, Prefix cache hit rate: 0.0%%\n' 100.0 90.0 >log
say
printf 'INFO 03-05 09:50:31 metrics.py:455] Avg prompt throughput: %s tokens/s, Avg generation throughput: 40.2 tokens/s, Running: 1 reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: 1.2%%, CPU KV cache usage: 0.0%%.\n' 0.0 12.5 >log
say
printf '[2025-11-30 12:00:00] Decode batch. #running-req: 1, #token: %d, token usage: 0.25, cuda graph: True, gen throughput (token/s): 120.5, #queue-req: 0,\n' 64 65 >log
say
