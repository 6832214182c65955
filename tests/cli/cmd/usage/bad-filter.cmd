cp "$T/tiny.json" .
for words in '-f (' '-v [' '--steps x' '--steps 9-5' '--device a' '--cat nonsense'; do
	# shellcheck disable=SC2086
	"$TRACEQ" top tiny.json $words
	echo "exit $?"
done
