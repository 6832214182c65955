for verb in top info check; do
	"$TRACEQ" $verb
	echo "exit $?"
done
