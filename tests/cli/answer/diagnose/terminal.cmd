# A terminal of 80 columns shows the findings as a pipe does: no number in them loses a digit.
command -v script >/dev/null || { echo "script(1) is not installed"; exit 77; }
for s in dataloader-bound launch-bound comm-bound; do
	"$FIXTURES" "$s" --steps 6 >t.json
	"$TRACEQ" diagnose t.json | sed -n '/rule  *about/,$p' >pipe
	COLUMNS=80 script -qec "'$TRACEQ' diagnose t.json --color=never" /dev/null </dev/null |
		tr -d '\r' | sed -n '/rule  *about/,$p' >terminal
	[ "$(wc -L <pipe)" -le 80 ] || echo "$s: too wide"
	diff pipe terminal && echo "$s: the same"
done
