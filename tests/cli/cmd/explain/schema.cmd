# The JSON Schema of an answer: the list of them, a small one whole, by its own name too, into a file, a wrong word.
"$TRACEQ" explain --schema
"$TRACEQ" explain --schema config
"$TRACEQ" explain --schema traceq.config/1 -o config.schema && "$TRACEQ" explain --schema config | cmp - config.schema
"$TRACEQ" explain --schema --json | head -3
for word in toop nothing; do
	"$TRACEQ" explain --schema "$word"
	echo "exit $?"
done
"$TRACEQ" explain --schema top --format csv
