# Several runs are one table, a row each; options about rows of a page, --table and --per-run ask for
# pages; JSON has both.
for bs in 8 16; do
	mkdir -p sweep/bs$bs && "$FIXTURES" healthy --steps 3 --seed $bs >sweep/bs$bs/trace.json
done
"$TRACEQ" top sweep/*/trace.json
"$TRACEQ" top sweep/*/trace.json --format csv -q | cut -d, -f1-8
"$TRACEQ" top sweep/*/trace.json --json | grep -o '"id": "[a-z_]*", "title": "[^"]*", "input": [0-9a-z]*'
for more in '-n 1' '--by kernel' '--tree' '--table ops' '--per-run' '--sort cpu' '--format torch'; do
	# shellcheck disable=SC2086
	"$TRACEQ" top sweep/*/trace.json $more >out
	echo "$more: $(grep -c 'side by side' out) $(grep -c bs16 out)"
done
# One that answers is a page.
"$TRACEQ" top sweep/bs8/trace.json missing.json 2>/dev/null | head -n 2
"$FIXTURES" tiny >tiny.json
"$TRACEQ" top sweep/bs8/trace.json tiny.json --steps 4 | sed -n '1,2p;$p'
# A report is about all inputs as before.
"$TRACEQ" report sweep/*/trace.json -q | grep -c 'side by side'
# CPU only beside the others: what is not known stays open.
"$FIXTURES" cpu-only --steps 2 >cpu.json
"$TRACEQ" summary sweep/bs8/trace.json cpu.json --ascii 2>/dev/null
