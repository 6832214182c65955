# What other commands say of a dump, and hang of what is none.
. "$T/dumps.sh"
for r in 0 1; do
	dump $r 'W: 0,1' <<<'1 W all_reduce 1 scheduled [8] Float'
done
"$TRACEQ" info .
"$TRACEQ" info _dump_1 | tail -n +4
"$TRACEQ" summary .
"$TRACEQ" top _dump_0
"$FIXTURES" artifact trainer-state >log
"$TRACEQ" hang log
"$FIXTURES" tiny >trace.json
"$TRACEQ" hang trace.json
"$TRACEQ" hang . --rank 7
"$TRACEQ" hang . -f all
echo "exit $?"
