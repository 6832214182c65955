for words in '--srot self' '--lim 3' '--zzz' '-Z' '-qZ' '--no-limit'; do
	# shellcheck disable=SC2086
	"$TRACEQ" top "$T/tiny.json" $words
	echo "exit $?"
done
# A word that some option has as a choice.
for words in 'top --csv' 'summary --us' 'report --html'; do
	# shellcheck disable=SC2086
	"$TRACEQ" $words "$T/tiny.json"
	echo "exit $?"
done
for command in baseline capture completion config explain help plot report; do
	"$TRACEQ" "$command" --zzz
	echo "exit $?"
done
