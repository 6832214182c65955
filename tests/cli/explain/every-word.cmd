# Each word of the list has a definition of its own, and no line is wider than 80 columns.
"$TRACEQ" explain | awk 'length($0) > 80'
n=0
while IFS= read -r word; do
	"$TRACEQ" explain "$word" >text || echo "$word: exit $?"
	[ "$(sed -n 2p text)" ] || echo "$word: no definition"
	awk -v w="$word" 'length($0) > 80 && !/^[a-z_]+:? .*\(/ { print w ": " $0 }' text
	n=$((n + 1))
done < <("$TRACEQ" explain --format tsv | sed 1d | cut -f 1 | sort -u)
[ "$n" -gt 80 ] && echo "all looked at"
