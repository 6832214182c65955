# On a terminal: colors unless TERM says dumb, names cut to its width; -o and pipes: neither.
command -v script >/dev/null || { echo "script(1) is not installed"; exit 77; }
sed "s/aten::mm/aten::$(printf 'm%.0s' {1..150})/" "$T/tiny.json" >long.json
on_terminal() { script -qec "$*" /dev/null </dev/null | tr -d '\r'; }
widest() { sed 's/\x1b\[[0-9;]*[mK]//g' | wc -L; }
export TRACEQ
TERM=xterm on_terminal "'$TRACEQ' top long.json" | grep -q $'\033\[' && echo color
TERM=dumb on_terminal "'$TRACEQ' top long.json" | grep -q $'\033\[' || echo plain
TERM=xterm NO_COLOR=1 on_terminal "'$TRACEQ' top long.json" | grep -q $'\033\[' || echo plain
for columns in 40 100; do
	w=$(COLUMNS=$columns on_terminal "'$TRACEQ' top long.json" | widest)
	[ "$w" -le $((columns < 80 ? 80 : columns)) ] && echo "fits $columns"
done
[ "$(COLUMNS=100 on_terminal "'$TRACEQ' top long.json --wide" | widest)" -gt 155 ] && echo wide
[ "$(COLUMNS=100 "$TRACEQ" top long.json | widest)" -gt 155 ] && echo "pipe: not cut"
