"$TRACEQ" --version | grep -Ex 'traceq [0-9]+\.[0-9]+\.[0-9]+ \([^,()]+(, ISA-L[^,]*)?, zlib [0-9.]+[^,]*(, libarchive [0-9.]+)?(, SQLite [0-9.]+)?, (avx2|sse2|neon|portable)\)' |
	wc -l
# The command and both options say the same.
cmp <("$TRACEQ" version) <("$TRACEQ" --version) && cmp <("$TRACEQ" version) <("$TRACEQ" -V) &&
	"$TRACEQ" version | cut -d' ' -f1
"$TRACEQ" version 1
echo "exit $?"
"$TRACEQ" help version | head -n 1
