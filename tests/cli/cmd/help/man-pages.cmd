# Every page is proper man(7): groff has nothing to say about it.
command -v groff >/dev/null || { echo "groff is not installed"; exit 77; }
pages=$("$TRACEQ" help --man | sed -n 's/^\.BR traceq\\-\([a-z]*\) .*/\1/p')
for p in '' $pages; do
	# shellcheck disable=SC2086
	"$TRACEQ" help --man $p >page || echo "$p: exit $?"
	groff -ww -Tascii -man -rLL=80n -P-cbou page 2>&1 >text | sed "s/^/$p: /"
	grep -q 'EXIT STATUS' text || echo "$p: no exit status"
	if [ -n "$p" ] && ! grep -q "traceq-$p - " text; then echo "$p: no name line"; fi
done
[ "$(wc -w <<<"$pages")" -ge 6 ] && echo "all looked at"
