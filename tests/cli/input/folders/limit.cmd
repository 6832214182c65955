# More files than are looked at: that is what is said first, as what is wanted may be among the others.
mkdir many
seq -f many/%05g.txt 10004 | xargs touch
"$FIXTURES" tiny >many/trace.json
for command in summary top kernels metrics batch diagnose report 'plot --list' 'plot timeline' ranks 'diff many' 'gate many' \
	'baseline add store' 'merge -o m.json' 'digest -o d.tqd' check; do
	echo "== $command"
	"$TRACEQ" $command many 2>&1 | grep -v '^$' | head -n 3
done
echo "== of those that have it all"
rm many/0000[1-5].txt
"$TRACEQ" summary many 2>&1 >/dev/null
"$TRACEQ" kernels many -n 1 2>&1 >/dev/null
