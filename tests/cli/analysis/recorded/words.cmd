# what a trace lacks is said in the words of the profiler that made it
"$FIXTURES" tiny --layout xplane >tiny.xplane.pb
"$FIXTURES" tiny --layout rocpd >tiny.db
"$FIXTURES" tiny --layout pftrace >tiny.pftrace
for trace in tiny.xplane.pb tiny.db tiny.pftrace; do
	for asked in "top --by shape" "kernels --roof" roofline memory stacks; do
		"$TRACEQ" $asked "$trace" 2>&1 | tr '\n' ' ' |
			grep -oE "no (input shapes|op that|allocator|stacks)[^;:]*[;:)][^:]*" || :
	done
	"$TRACEQ" report "$trace" 2>/dev/null | grep '^? .*: needs' || :
done
