cp "$T/tiny.json" ./-n
"$TRACEQ" top -q --format csv -- -n | wc -l
"$TRACEQ" top -q --format csv ./-n | wc -l
"$TRACEQ" top -q --format csv -n
