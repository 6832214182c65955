# What cannot be meant is refused before the trace is read.
for o in "-t G10.wran=5%" "-t G10.warn" "-t G10.warn=5" "-t G10=5%" "--rules G1" "--rules G01,X" \
	"--min-severity bad"; do
	# shellcheck disable=SC2086
	"$TRACEQ" diagnose $o none.json; echo "exit $?"
done
