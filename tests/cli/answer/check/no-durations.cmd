# Durations that are missing, and such in seconds: a trace that tells no time of its kernels is not
# to be relied on, and nothing is concluded from it.
write() {
	cat <<END
{"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":$1,"dur":$2,"args":{"External id":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":$1,"dur":$2,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":$1$3,"args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":$4,"dur":$2,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":$4$3,"args":{"device":0,"stream":7,"correlation":2}},
{"ph":"i","s":"g","name":"Record Window End","pid":"","tid":"","ts":$5}]}
END
}
write 100 20 "" 130 200 >missing.json
write 5.0001 0.00002 ',"dur":0.0003' 5.01 5.1 >seconds.json
for t in missing seconds; do
	echo "== $t"
	"$TRACEQ" check $t.json | grep -E '^(reliable|why|bad|warning) '
	"$TRACEQ" $t.json 2>&1 | grep -E '^(verdict|but|traceq:) '
done
