# What was kept of a trace has no events: nothing is cut of it or merged, and nothing looked for in it.
"$FIXTURES" tiny >a.json
"$TRACEQ" digest -q a.json -o a.tqd
for words in 'cut --around step:1' 'cut --around G09@1+2' 'cut --annotate critical' 'cut --steps 1' 'cut --no-python' 'cut' \
	'merge a.json' 'merge --annotate idle'; do
	echo "$words"
	"$TRACEQ" $words a.tqd -o out.json 2>&1
	echo "exit $?"
	ls out.json 2>/dev/null
done
"$TRACEQ" a.tqd | grep "^traceq cut" || echo "nothing is said to be cut"
