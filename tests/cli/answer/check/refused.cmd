# Not traces: each its own error, exit 2.
for kind in empty blanks gz-empty empty-object empty-array null-events other-json execution-trace \
	metrics html git-lfs single-quotes comments; do
	"$FIXTURES" healthy --steps 1 --damage "$kind" >t
	"$TRACEQ" check t 2>&1
	echo "exit $?"
done
