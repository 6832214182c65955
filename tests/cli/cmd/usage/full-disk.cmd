# What could not be written is an error, not an empty answer.
[ -c /dev/full ] || { echo "no /dev/full"; exit 77; }
cp "$T/tiny.json" .
for words in 'top tiny.json' 'info tiny.json --json' 'top tiny.json --format csv' 'explain' 'help' \
	'completion bash' '--version' '-h'; do
	# shellcheck disable=SC2086
	"$TRACEQ" $words >/dev/full
	echo "exit $?"
done
"$TRACEQ" top tiny.json -o /dev/full
echo "exit $?"
