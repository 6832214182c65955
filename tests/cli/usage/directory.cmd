mkdir empty one many
cp "$T/tiny.json" one/a.json
for f in d.json a.json.gz c.trace.json b.json .hidden.json notes.txt; do : >many/$f; done
for d in empty one many many/; do
	"$TRACEQ" info $d
	echo "exit $?"
done
