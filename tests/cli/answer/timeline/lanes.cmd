# Drawn by hand, in us from the first device event, 10 us behind the first of all:
#	stream 7    gemm 0-20, gemm 60-80, Memcpy HtoD 85-90
#	stream 20   ncclDevKernel 10-40
#	thread 200  sync 2-52, aten::mm 53-59 with a launch in 54-56 and one in 58-59
# So GPU 0 computes 0-20 and 60-80, communicates 20-40, waits 40-60 (sync) and 80-85, copies 85-90.
cat >t.json <<'T'
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 200, "ts": 0, "dur": 62},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#2", "pid": 1, "tid": 200, "ts": 62, "dur": 40},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 200, "ts": 4, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 200, "ts": 7, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaDeviceSynchronize", "pid": 1, "tid": 200, "ts": 12, "dur": 50, "args": {"correlation": 9}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 200, "ts": 63, "dur": 6},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 200, "ts": 64, "dur": 2, "args": {"correlation": 3}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 200, "ts": 68, "dur": 1, "args": {"correlation": 4}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 20, "ts": 20, "dur": 30, "args": {"device": 0, "stream": 20, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 70, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 7, "ts": 95, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 4, "bytes": 8}}
]}
T
# 45 columns of 2 us
COLUMNS=57 "$TRACEQ" timeline t.json
for width in 60 80 200; do
	echo "== $width"
	COLUMNS=$width "$TRACEQ" timeline t.json
done
echo "== ASCII"
COLUMNS=57 "$TRACEQ" timeline t.json --ascii
echo "== colours"
COLUMNS=57 "$TRACEQ" timeline t.json --color=always
COLUMNS=57 "$TRACEQ" timeline t.json --color=always --ascii --lanes 1
echo "== Markdown"
COLUMNS=57 "$TRACEQ" timeline t.json --format md
echo "== a step, a time range"
COLUMNS=57 "$TRACEQ" timeline t.json --at 2
COLUMNS=57 "$TRACEQ" timeline t.json --at 50-70us
echo "== for machines"
"$TRACEQ" timeline t.json --format csv --marks 100 --table marks
"$TRACEQ" timeline t.json --format csv --slices 2 --at 50-70us
