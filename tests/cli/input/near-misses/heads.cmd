# What is no artifact of a run keeps its words, whatever it holds: no line of it is a figure.
for f in "$T"/heads/*; do
	cp "$f" head && "$TRACEQ" info head >out 2>err
	echo "${f##*/}: exit $?: $(head -n 1 err)"
	[ -s out ] && head -n 4 out
done
true
