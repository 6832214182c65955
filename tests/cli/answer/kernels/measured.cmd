# Hardware counters sampled every 100 us beside a trace, worked out by hand:
#   SM    1000: 60  1100: 80  1200: 40  1300: 20, until 1400
#   gemm  1050 to 1250: (60 x 50 + 80 x 100 + 40 x 50) / 200 = 65 %;  1310 to 1360: shorter than a sample
#   relu  1260 to 1290: shorter; so 200 of 280 us are known, and 200 of gemm's 250
#   add   1350 to 1500 on another GPU, of which there are no samples
cat >t.json <<'END'
{"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1050, "dur": 200, "args": {"device": 0, "stream": 7, "correlation": 1, "est. achieved occupancy %": 50}},
{"ph": "X", "cat": "kernel", "name": "relu", "pid": 0, "tid": 7, "ts": 1260, "dur": 30, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1310, "dur": 50, "args": {"device": 0, "stream": 7, "correlation": 3, "est. achieved occupancy %": 50}},
{"ph": "X", "cat": "kernel", "name": "add", "pid": 1, "tid": 7, "ts": 1350, "dur": 150, "args": {"device": 1, "stream": 7, "correlation": 4}},
{"ph": "C", "cat": "hardware_counters", "name": "sm__throughput.avg.pct_of_peak_sustained_elapsed", "pid": "GPU 0 Counters", "tid": 0, "ts": 1000, "args": {"": 60}},
{"ph": "C", "cat": "hardware_counters", "name": "sm__throughput.avg.pct_of_peak_sustained_elapsed", "pid": "GPU 0 Counters", "tid": 0, "ts": 1100, "args": {"": 80}},
{"ph": "C", "cat": "hardware_counters", "name": "sm__throughput.avg.pct_of_peak_sustained_elapsed", "pid": "GPU 0 Counters", "tid": 0, "ts": 1200, "args": {"": 40}},
{"ph": "C", "cat": "hardware_counters", "name": "sm__throughput.avg.pct_of_peak_sustained_elapsed", "pid": "GPU 0 Counters", "tid": 0, "ts": 1300, "args": {"": 20}},
{"ph": "C", "cat": "hardware_counters", "name": "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "pid": "GPU 0 Counters", "tid": 0, "ts": 1000, "args": {"": 10}},
{"ph": "C", "cat": "hardware_counters", "name": "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "pid": "GPU 0 Counters", "tid": 0, "ts": 1100, "args": {"": 10}},
{"ph": "C", "cat": "hardware_counters", "name": "sm__cycles_elapsed.sum", "pid": "GPU 0 Counters", "tid": 0, "ts": 1000, "args": {"": 5}}]}
END
"$TRACEQ" kernels t.json
"$TRACEQ" kernels t.json --json | grep -A40 '"id": "measured"' | grep '"rows"' -A12
