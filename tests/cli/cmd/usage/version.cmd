"$TRACEQ" --version | grep -Ex 'traceq [0-9]+\.[0-9]+\.[0-9]+ \([^,()]+(, ISA-L[^,]*)?, zlib [0-9.]+[^,]*, (avx2|sse2|neon|portable)\)' |
	wc -l
