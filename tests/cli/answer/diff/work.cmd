# More work or slower work: traces of six steps, of products [N, 64] x [64, 64] and an addition, whose figures
# are worked out here.  The device is not known, so that FLOP measure products and bytes all else.
trace() { # products a step, N, their ns, a copy's ns; shapes are left out where $5 is "none"
	awk -v calls="$1" -v n="$2" -v ns="$3" -v add="$4" -v shapes="${5-}" '
	function op(name, ts, args) {
		event("cpu_op", name, 1, ts, 4000, "\"External id\": " id + 1 (shapes == "none" ? "" : ", " args))
	}
	function event(cat, name, tid, ts, ns, args) {
		printf "%s{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %d, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f, \"args\": {%s}}",
			sep, cat, name, cat == "kernel" ? 0 : 9, tid, ts / 1000, ns / 1000, args
		sep = ",\n"
	}
	function launch(kernel, ts, ns) {
		id++
		event("cuda_runtime", "cudaLaunchKernel", 1, ts + 1000, 1000, "\"correlation\": " id)
		event("kernel", kernel, 7, at, ns, "\"correlation\": " id ", \"device\": 0, \"stream\": 7")
		at += ns
	}
	BEGIN {
		print "{\"deviceProperties\": [{\"id\": 0, \"name\": \"Frobnicator\"}], \"traceEvents\": ["
		for (s = 0; s < 6; s++) {
			t = s * 2000000
			at = t + 20000
			event("user_annotation", "ProfilerStep#" s, 1, t, 1900000, "")
			for (c = 0; c < calls; c++) {
				op("aten::mm", t + 5000 * (c + 1), "\"Input Dims\": [[" n ", 64], [64, 64]], \"Input type\": [\"float\", \"float\"]")
				launch("gemm", t + 5000 * (c + 1), ns)
			}
			op("aten::add", t + 100000, "\"Input Dims\": [[1024], [1024], []], \"Input type\": [\"float\", \"float\", \"Scalar\"]")
			launch("add", t + 100000, add)
		}
		print "]}"
	}'
}
ask() { # title, new, options
	echo "== $1"
	shift
	"$TRACEQ" diff base.json "$@" --noise 1% -q --wide >out
	grep '^device time ' out
	sed -n '/^more work/,/^$/p' out | sed '/^$/d; 1d'
}
# a step: 4 products of 100 us, 4 x 2 x 128 x 64 x 64 = 4,194,304 FLOP, 0.01049 TFLOP/s; an addition of 20 us,
# 12,288 bytes, 614.4 MB/s
trace 4 128 100000 20000 >base.json
trace 4 256 200000 20000 >work.json
ask "only work: twice the rows, as fast: +400 us of work" work.json
trace 4 128 150000 20000 >rate.json
ask "only speed: +200 us, two thirds of the rate" rate.json
trace 4 256 400000 20000 >both.json
ask "both by 2: time by 4, +1200 us, halves" both.json
trace 8 128 100000 20000 >calls.json
ask "twice the calls: +400 us of work" calls.json
trace 8 256 50000 30000 >all.json
ask "calls and size by 2, rate by 4: L = 400 us, 2 x 400 ln 2 = 554.5 more work, as much faster; the addition +10" all.json
"$TRACEQ" diff base.json all.json --json -q | python3 -c '
import json, sys
work = [t for t in json.load(sys.stdin)["tables"] if t["id"] == "work"][0]
for r in work["rows"]:
    print(r["op"], *(r[k + "_ns"] for k in ("delta", "more_work", "by_calls", "by_size", "slower")), r["unit"],
          r["base_flop"], r["new_flop"], r["base_bytes"], r["new_bytes"], r["base_dims"], r["new_dims"])'
echo "== the other way round"
mv base.json new.json && mv both.json base.json
ask "both by 2, back" new.json
echo "== of digests: the same"
"$TRACEQ" digest -q base.json -o base.tqd && "$TRACEQ" digest -q new.json -o new.tqd
"$TRACEQ" diff base.json new.json --json -q --table work >1
"$TRACEQ" diff base.tqd new.tqd --json -q --table work | sed 's/\.tqd!base.json/.json/; s/\.tqd!new.json/.json/' >2
python3 -c '
import json
one, two = (json.load(open(f))["tables"] for f in "12")
print(one == two and len(one[0]["rows"]))'
"$TRACEQ" report new.tqd --format md -q | grep -e '^### What the trace' -e 'a digest has'
echo "== ranks: one works slower; the mean rank's step"
mkdir one two
for rank in 0 1; do
	sed "s/^{/{\"distributedInfo\": {\"rank\": $rank, \"world_size\": 2}, /" new.json >one/rank$rank.json
	sed "s/^{/{\"distributedInfo\": {\"rank\": $rank, \"world_size\": 2}, /" "$([ $rank = 1 ] && echo rate.json || echo new.json)" >two/rank$rank.json
done
"$TRACEQ" diff one two --noise 1% -q --wide | sed -n -e '/^device time /p' -e '/^more work/,/^$/p'
echo "== shapes on one side"
trace 4 128 150000 20000 none >none.json
"$TRACEQ" diff new.json none.json --wide | grep -E 'more work|no input shapes'
echo "== on none"
"$TRACEQ" diff none.json none.json --wide | grep -cE 'more work|no input shapes' || true
