# What of a folder was not looked at is said of the folder, whatever its runs and traces are called.
mkdir -p job runs
"$FIXTURES" multi-rank --all-ranks job --world 2 --steps 2
ln -s nowhere job/one.json
ln -s nowhere job/two.json
for run in a b; do mkdir runs/$run; "$FIXTURES" tiny >runs/$run/trace.json; done
ln -s nowhere runs/dangling
said() { "$TRACEQ" "$@" 2>&1 >out | sed 's/^/on stderr: /'; grep 'not looked at' out; }
for d in job job/ runs; do
	for command in summary top ranks info check diagnose report 'plot --list'; do
		echo "== $command $d"
		said $command $d
	done
done
echo "== as JSON"
"$TRACEQ" top job --json 2>/dev/null | grep -o '"id": *"not_looked_at", *"input": *[^,]*'
