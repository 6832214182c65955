for words in '--srot self' '--lim 3' '--zzz' '-Z' '-qZ' '--no-limit'; do
	# shellcheck disable=SC2086
	"$TRACEQ" top "$T/tiny.json" $words
	echo "exit $?"
done
for command in baseline capture completion config explain help plot report; do
	"$TRACEQ" "$command" --zzz
	echo "exit $?"
done
