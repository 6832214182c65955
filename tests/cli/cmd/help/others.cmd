for verb in explain completion help; do
	"$TRACEQ" $verb --help
	"$TRACEQ" $verb -h >short || echo "exit $?"
done
