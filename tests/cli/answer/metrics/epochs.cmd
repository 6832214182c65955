# profiling_epoch{N}.json, as the document's loop writes one each epoch: a series over epochs. The
# order is that of the numbers, not of the names.
epoch() { # N iteration forward peak samples
	cat >profiling_epoch"$1".json <<X
{"timestamp": "2025-11-30T12:00:00", "total_runtime_sec": 425.0, "device": 0,
 "memory": {"peak_allocated_gb": $4, "mean_allocated_gb": 12.8, "baseline_gb": 10.5},
 "timing": {"iteration": {"mean_sec": $2, "count": 1000}, "forward": {"mean_sec": $3, "count": 1000}},
 "throughput": {"samples_per_sec": $5}}
X
}
mkdir up flat
cd up || exit
epoch 0 0.425 0.125 14.0 9.4
epoch 1 0.450 0.125 14.5 8.9
epoch 2 0.500 0.126 15.0 8.0
epoch 10 0.600 0.125 15.9 6.7
"$TRACEQ" metrics . | sed -n '/what stands/,/^throughput$/p; /^note/,$p'
"$TRACEQ" metrics . --capacity 16GiB --json | grep -o '"rule": "D2[12]"[^}]*'
"$TRACEQ" diagnose . -q --rules R07 --capacity 16GiB | head -n 5
cd ../flat || exit
epoch 0 0.425 0.125 14.0 9.4
epoch 1 0.421 0.125 14.0 9.5
epoch 2 0.430 0.125 14.0 9.3
"$TRACEQ" metrics . -q | grep '^D22'
