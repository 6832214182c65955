"$FIXTURES" tiny >t.json
for w in krnel:x=0 kernel kernel:x 'kernel:(=2' kernel:=2 sync=0.5 host=5us copy=hidden kernel=-1 \
	kernel=nan copy=1e999 dataloader=0,krnel=2 'kernel=0,' dataloader=1h ''; do
	"$TRACEQ" critical t.json --what-if "$w" >/dev/null
	echo "exit $?"
done
"$TRACEQ" critical t.json --device 0
echo "exit $?"
"$TRACEQ" digest -q t.json -o t.tqd && "$TRACEQ" critical t.tqd
echo "exit $?"
