# A file that cannot be written is named, exit 2, and nothing is left of it or beside it.
mkdir o
for out in "--to json -o /dev/full" "--to pftrace -o /dev/full" "--to folded -o /dev/full" "-o o/none/a.json" "-o o/none/a.pftrace" \
	"-o o/none/a.folded"; do
	"$TRACEQ" cut "$T/drawn.json" -q $out
	echo "exit $?"
done
for to in json pftrace folded; do
	"$TRACEQ" cut "$T/drawn.json" --to $to >/dev/full
	echo "exit $?"
done
cp "$T/drawn.json" t.json
ln -s t.json l.json
for out in t.json ./l.json; do
	"$TRACEQ" cut t.json --to pftrace -o $out
	echo "exit $?"
done
ls -A . o
