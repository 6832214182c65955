# Both inflaters, all scanners, any number of threads: the same bytes.
"$FIXTURES" healthy --steps 4 --gzip --members 2 >t.json.gz
{
	for scanner in portable sse2 avx2 neon; do TRACEQ_SCANNER=$scanner "$TRACEQ" top t.json.gz | cksum; done
	for threads in 1 2 4 8; do "$TRACEQ" top -j "$threads" t.json.gz | cksum; done
	TRACEQ_INFLATE=zlib "$TRACEQ" top t.json.gz | cksum
	gzip -dc t.json.gz | "$TRACEQ" top - | cksum
} | sort -u | wc -l
