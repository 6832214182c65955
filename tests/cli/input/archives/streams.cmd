# zstd, xz, bzip2 and lz4 by their own programs: the same answer as of the text, from files and pipes.
"$TRACEQ" --version | grep -q libarchive || { echo "traceq was built without libarchive"; exit 77; }
"$FIXTURES" tiny >t.json
for tool in zstd xz bzip2 lz4; do
	command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
	$tool -c t.json >t.$tool
	"$TRACEQ" info t.$tool | grep -a '^container'
	cmp <("$TRACEQ" top t.json) <("$TRACEQ" top t.$tool) && cmp <("$TRACEQ" top t.json) <("$TRACEQ" top - <t.$tool) && echo "as the text"
done
# Where exactly depends on who compressed, and on libarchive.
places() { sed -E 's/at byte [0-9,]+(, line [0-9,]+)?/at byte N/'; }
echo "== cut: what is there, and the note"
"$FIXTURES" healthy --steps 4 >long.json
for tool in zstd xz bzip2 lz4; do
	$tool -c -1 long.json >whole.$tool
	head -c $(($(stat -c %s whole.$tool) * 9 / 10)) whole.$tool >cut.$tool
	"$TRACEQ" top -n 1 cut.$tool 2>&1 >out | places
	head -n 1 out | cut -d' ' -f1-5
	"$TRACEQ" top --strict cut.$tool 2>&1 | places
done
"$TRACEQ" check cut.zstd 2>/dev/null | grep -o '^bad *truncated_gzip'
echo "== compressed twice, and a bomb"
zstd -q -c t.zstd >twice.zst
"$TRACEQ" top twice.zst
echo "exit $?"
{ printf '["'; head -c 80M /dev/zero | tr '\0' x; } | bzip2 -c >bomb.bz2
"$TRACEQ" top bomb.bz2 2>&1 | places
