# A locale that is not installed here still says by its name what the terminal shows; LC_ALL goes before LC_CTYPE, and that before LANG.
"$FIXTURES" dataloader-bound --steps 2 >t.json
unset LC_ALL
LC_ALL=C.UTF-8 "$TRACEQ" top t.json >utf8
LC_ALL=C "$TRACEQ" top t.json >ascii
cmp -s utf8 ascii || echo "they differ"
for said in LC_ALL=xx_XX.UTF-8 LC_CTYPE=xx_XX.utf8 LANG=xx_XX.utf8@modifier LC_ALL=xx_XX.ISO-8859-1 LC_ALL=xx_XX \
	"LC_ALL=xx_XX LANG=xx_XX.UTF-8"; do
	# shellcheck disable=SC2086
	env $said "$TRACEQ" top t.json >came
	for kind in utf8 ascii; do
		cmp -s $kind came && echo "$said: $kind"
	done
done
