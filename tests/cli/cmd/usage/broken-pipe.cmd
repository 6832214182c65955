# A reader that leaves early: silence, whether SIGPIPE has its default action or is ignored.
cp "$T/tiny.json" .
for i in 1 2 3 4 5 6 7 8; do set -- "$@" tiny.json; done
for i in 1 2 3 4 5 6 7; do set -- "$@" "$@"; done
"$TRACEQ" top --json "$@" | head -c 1
echo " ${PIPESTATUS[0]}"
(
	trap '' PIPE
	"$TRACEQ" top --json "$@"
	echo "ignored: $?" >code
) | head -c 1
cat code
