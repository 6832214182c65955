# profilers of the CPU, and Proton's tree of kernels, each worked out by hand
# perf: two stacks of python, one of a worker, a page fault is none of them
# pyinstrument: 0.5 s of which 0.45 s are train's, 0.3 s of those forward's
# Scalene: of 4 s 30, 50 and 5 % in line 12 of step, 10 % in line 20 of no function
# V8's log: main, anonymous, hot 3 times, once after it was moved; what lies where it was is not known, so main's; main in a callback of
# node, the collector below node, an address of nothing, and main, anonymous by an address behind the one before
# V8: a sample lasts until the next: main 1 ms, below it 1.5 and 2 ms, the last one nothing
for f in perf-script austin pyinstrument cpuprofile scalene v8-log proton; do
	echo "== $f"
	"$FIXTURES" artifact $f >f
	"$TRACEQ" stacks f
done
"$TRACEQ" kernels f
echo "== pprof: three samples of 10 ms"
base64 -d >p <<'END'
CgQIARACCgQIAxAEEgsKAgECEgUBgK3iBBILCgIBAhIFAYCt4gQSCwoCAQISBQGAreIEIgYIASICCAEiBggCIgIIAioECAEQBioECAIQBTIAMgdzYW1wbGVzMgVjb3VudDIDY3B1MgtuYW5vc2Vjb25kczIEbWFpbjIGbWF0bXVs
END
"$TRACEQ" stacks p
