# What is given as a capture and is none, captures nothing, or is of another model; and runs without replays.
"$FIXTURES" graph-serving --steps 1 >t.json && "$FIXTURES" graph-serving --steps 1 --capture >c.json
echo '{"traceEvents":[{"ph":"X","cat":"cuda_runtime","name":"cudaStreamBeginCapture","pid":1,"tid":1,"ts":1,"dur":1,"args":{"correlation":1}},{"ph":"X","cat":"cuda_runtime","name":"cudaStreamEndCapture","pid":1,"tid":1,"ts":9,"dur":1,"args":{"correlation":2}}]}' >empty.json
echo '{"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]}' >ops.json
"$FIXTURES" tiny >tiny.json
for capture in t.json empty.json ops.json nothing.json; do
	"$TRACEQ" kernels t.json --capture $capture
	echo "exit $?"
done
"$TRACEQ" kernels tiny.json --capture c.json -n 1
echo "exit $?"
"$TRACEQ" kernels t.json --capture "$T/other.json" -n 1 --table kernels
echo "exit $?"
mkdir folder && cp c.json folder/bs_1_rank0.json && cp tiny.json folder
"$TRACEQ" kernels t.json --capture folder -n 1 --table kernels
echo "exit $?"
"$TRACEQ" kernels t.json --capture c.json --capture "$T/other.json" -n 1 --table kernels
echo "exit $?"
"$TRACEQ" digest t.json -o t.tqd -q && "$TRACEQ" kernels t.tqd --capture c.json
echo "exit $?"
"$TRACEQ" kernels t.json --capture
echo "exit $?"
"$TRACEQ" idle t.json --capture c.json
echo "exit $?"
