# Latencies in ms: said by the headings, told by the rates, and told by some rows only.
cat >said.csv <<'X'
batch_size,num_samples,latency_per_sample_ms_mean,latency_per_batch_mean_ms,throughput_mean,peak_gpu_mem_mb_mean
1,1000,25.34,25.34,39.46,2045
8,1000,8.76,70.08,114.16,2360
X
cat >told.csv <<'X'
batch_size,num_samples,latency_total_mean,latency_per_sample_mean,latency_per_sample_std,throughput_samples_per_sec_mean
1,1000,25.34,25.34,1.27,39.46
8,1000,8.76,8.76,0.44,114.16
X
cat >raw.csv <<'X'
batch_size,num_samples,latency_total,latency_per_sample,throughput
1,1000,25340,25.34,39.46
8,1000,8760,8.76,114.16
X
cat >mixed.csv <<'X'
batch_size,num_samples,latency_per_sample_mean,throughput_samples_per_sec_mean
1,1000,25.34,39.46
8,1000,0.00876,114.16
X
for f in said told raw mixed; do
	echo "== $f"
	"$TRACEQ" batch $f.csv --format csv --table sizes 2>/dev/null | cut -d, -f1-6
	"$TRACEQ" batch $f.csv 2>&1 >/dev/null | grep 1000
done
"$TRACEQ" batch told.csv -q --table targets
