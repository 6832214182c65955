# A format that only some answers have is refused by the others, not answered with nothing.
cp "$T/tiny.json" .
for format in torch seed folded; do
	for verb in summary info check; do
		"$TRACEQ" $verb tiny.json --format $format
		echo "exit $?"
	done
done
"$TRACEQ" diff tiny.json tiny.json --format torch -o out.txt
echo "exit $?"
"$TRACEQ" top tiny.json -f nothing --format torch
echo "exit $?"
ls -A
