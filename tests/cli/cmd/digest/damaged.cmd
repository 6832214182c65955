# cut at many places and changed at many: one error each, through a file and through a pipe
$FIXTURES tiny >t.json
cp t.json u.json
$TRACEQ digest -q t.json u.json -o a.tqd
n=$(stat -c %s a.tqd)
for at in 0 1 7 8 31 32 40 80 100 200 $((n / 4)) $((n / 2)) $((n - 1)); do
	head -c $at a.tqd >cut.tqd
	$TRACEQ summary cut.tqd >out 2>err && echo "cut at $at is answered"
	[ "$(grep -c ^traceq: err)" = 1 ] || { echo "cut at $at:"; cat err; }
	[ $at -lt 32 ] || ! $TRACEQ summary - <cut.tqd >out 2>err || echo "cut at $at is answered from a pipe"
done
for at in 8 16 24 30 33 50 100 200 $((n / 4)) $((n / 2)) $((n - 1)); do
	cp a.tqd bad.tqd
	byte=$(dd if=a.tqd bs=1 skip=$at count=1 2>/dev/null | od -An -tu1)
	printf "\\x$(printf %x $((byte ^ 64)))" | dd of=bad.tqd bs=1 seek=$at conv=notrunc 2>/dev/null
	$TRACEQ summary --per-run bad.tqd >out 2>err
	[ $? = 2 ] || echo "changed at $at: answered"
	grep -q 'digest' err || { echo "changed at $at:"; cat err; }
done
head -c 1000 a.tqd >cut.tqd
$TRACEQ summary cut.tqd 2>&1 | sed "s/of [0-9]* *$/of N/"
(cat a.tqd; echo more) >long.tqd
$TRACEQ summary long.tqd 2>&1 | sed "s/[0-9]* bytes long, and is [0-9]*/N bytes long, and is M/"
printf '\x02' | dd of=a.tqd bs=1 seek=8 conv=notrunc 2>/dev/null
$TRACEQ summary a.tqd
