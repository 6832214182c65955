# The suffix gives the format; --format wins; the file keeps its mode; nothing is left beside it.
cp "$T/tiny.json" .
for suffix in json csv tsv md txt CSV 2026-11; do
	"$TRACEQ" top tiny.json -o out.$suffix 2>/dev/null || echo "exit $?"
	"$TRACEQ" top tiny.json --format "$(sed 's/txt\|2026-11/table/;s/CSV/csv/' <<<$suffix)" 2>/dev/null |
		cmp - out.$suffix && echo same
done
"$TRACEQ" top tiny.json -o out.csv --json 2>/dev/null
"$TRACEQ" top tiny.json --json 2>/dev/null | cmp - out.csv && echo same
chmod 600 out.md
ln -s out.md link
"$TRACEQ" top tiny.json -o link --format csv 2>/dev/null
stat -c '%a %F' out.md link
"$TRACEQ" top tiny.json --json -o - 2>/dev/null | cmp - out.json && echo same
ls -A
