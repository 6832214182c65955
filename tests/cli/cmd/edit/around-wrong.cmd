for given in "--around gap" "--around gap:7@3" "--around gap:0@200us" "--around step:9" "--around G12" "--margin 5ms" \
	"--around step:1 --margin 5"; do
	"$TRACEQ" cut "$T/drawn.json" -o o.json $given
	echo "exit $?"
done
ls
