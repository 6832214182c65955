# A folder is searched; what has no trace cannot answer.
mkdir empty one many
cp "$T/tiny.json" one/a.json
for f in d.json a.json.gz c.trace.json b.json .hidden.json notes.txt; do : >many/$f; done
for d in empty one many many/; do
	"$TRACEQ" top $d >/dev/null
	echo "exit $?"
done
"$TRACEQ" info many one
