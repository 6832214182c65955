# Every command has help that fits 80 columns, with examples that name it.
verbs=$("$TRACEQ" --help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p')
for v in $verbs; do
	for h in -h --help; do
		"$TRACEQ" "$v" $h >text || echo "$v $h: exit $?"
		awk -v v="$v $h" 'length($0) > 80 { print v ": " length($0) " columns: " $0 }' text
		grep -q "^usage: traceq $v" text || echo "$v $h: no usage"
		grep -q "^  .*traceq $v" text || echo "$v $h: no example"
	done
done
[ "$(wc -w <<<"$verbs")" -ge 6 ] && echo "all looked at"
