# hardware counters that Kineto samples beside a trace, of two GPUs; other counters are only counted
cat >t.json <<'END'
{"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1000, "dur": 15, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "C", "cat": "hardware_counters", "name": "sm__throughput.avg.pct_of_peak_sustained_elapsed", "pid": "GPU 0 Counters", "tid": 0, "ts": 1000, "args": {"": 60}},
{"ph": "C", "cat": "hardware_counters", "name": "sm__throughput.avg.pct_of_peak_sustained_elapsed", "pid": "GPU 0 Counters", "tid": 0, "ts": 1100, "args": {"": 80}},
{"ph": "C", "cat": "hardware_counters", "name": "dram__bytes.sum", "pid": "GPU 1 Counters", "tid": 0, "ts": 1000, "args": {"": 4096}},
{"ph": "C", "cat": "other", "name": "sm__cycles", "pid": "GPU 0 Counters", "tid": 0, "ts": 1000, "args": {"": 1}}]}
END
"$TRACEQ" info t.json
