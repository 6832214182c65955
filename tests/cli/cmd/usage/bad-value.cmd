cp "$T/tiny.json" .
for words in '-n x' '-n' '--limit=' '--limit 99999999999999999999' '--tree=yes' '--format jsn' \
	'--format=xml' '--unit m' '--color sometimes' '-j -1' '-j 5000' '--json --format csv'; do
	# shellcheck disable=SC2086
	"$TRACEQ" top tiny.json $words
	echo "exit $?"
done
