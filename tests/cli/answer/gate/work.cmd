# Work: MFU warns until it is chosen; where some products take twice as long, their rate falls, whoever
# launches it; digests say the same; without shapes both are not compared, and said.
"$FIXTURES" healthy --steps 8 >a.json
"$FIXTURES" healthy --steps 8 --no-shapes >none.json
"$FIXTURES" dataloader-bound --steps 8 >slow.json
awk '/"name": "sm90_xmma_gemm/ { gemm = 1 }
	gemm && match($0, /"dur": [0-9.]+/) {
		dur = substr($0, RSTART + 7, RLENGTH - 7)
		$0 = substr($0, 1, RSTART + 6) sprintf("%.3f", dur / 2) substr($0, RSTART + RLENGTH)
		gemm = 0
	}
	{ print }' a.json >fast.json
"$TRACEQ" digest -q a.json -o a.tqd
checks="--check tflops:^aten::(mm|addmm)$=5% --check tflops:aten::sum=5%"
run()
{
	"$TRACEQ" gate "$@" $checks --verbose | grep -E "^gate|mfu|tflops"
}
echo "== as fast"
run a.json a.json
echo "== slower"
run fast.json a.json
echo "== by a digest"
run fast.json a.tqd
echo "== a step that takes longer"
run a.json slow.json
run a.json slow.json --check mfu=5%
echo "== without shapes"
run a.json none.json
run none.json none.json
