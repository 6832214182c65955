cp "$T/tiny.json" trace.json
"$TRACEQ" trace.json
