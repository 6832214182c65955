# Where in the code kernels come from, of functions of the profiler; and a trace without any.
"$FIXTURES" python-stacks --steps 4 > trace.json
for by in line module stack; do
	"$TRACEQ" kernels trace.json --by "$by" | sed -n '/^kernels$/,/^$/p'
done
"$FIXTURES" healthy --steps 4 > trace.json
"$TRACEQ" kernels trace.json --by line -n 2 | sed -n '/^kernels$/,/^$/p; /^note/,$p'
