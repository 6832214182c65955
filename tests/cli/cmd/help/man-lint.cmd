# mandoc finds nothing to warn of in any page, but that they have no date: they are generated.
command -v mandoc >/dev/null || { echo "mandoc is not installed"; exit 77; }
"$TRACEQ" help --man >traceq.1
for verb in $(sed -n 's/^\.BR traceq\\-\([a-z]*\) .*/\1/p' traceq.1); do
	"$TRACEQ" help --man "$verb" >"traceq-$verb.1"
done
for page in *.1; do
	[ -s "$page" ] || echo "$page is empty"
	mandoc -T lint -W warning "$page" | grep -v 'missing date'
done
grep -A1 '^\.B *$' ./*.1
echo "all looked at"
