# Standard input, plain and compressed, answers as the file does.
"$TRACEQ" top --json "$T/tiny.json" | sed 's/"inputs": \[[^]]*\]/"inputs"/' >file
"$TRACEQ" top --json - <"$T/tiny.json" | sed 's/"inputs": \[[^]]*\]/"inputs"/' >stdin
gzip -c "$T/tiny.json" | "$TRACEQ" top --json - | sed 's/"inputs": \[[^]]*\]/"inputs"/' >gzip
cmp file stdin && cmp file gzip && grep -c aten::mm file
"$TRACEQ" top - - <"$T/tiny.json"
