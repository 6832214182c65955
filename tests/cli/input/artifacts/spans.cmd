# spans of requests: OpenTelemetry's (3, 3.5 and 4 s, of which the queue 0.25, 0.5, 0.75 s), and Jaeger's in us
for f in otlp-spans jaeger-spans; do
	"$FIXTURES" artifact $f >$f
	"$TRACEQ" info $f 2>&1
	"$TRACEQ" metrics $f --wide
done
