# Each word of the list has a definition, and no line is wider than 80 columns. Every 16th is asked
# for by itself: a process for each takes minutes in a sanitizer's build.
"$TRACEQ" explain | awk 'length($0) > 80'
"$TRACEQ" explain --format tsv | awk -F '\t' 'NF != 6 || $5 == "" { print $1 ": no definition" }'
"$TRACEQ" explain --format tsv | sed 1d | cut -f 1 | sort -u | awk 'NR % 16 == 1' >words
while IFS= read -r word; do
	printf '\f%s\n' "$word"
	"$TRACEQ" explain "$word" || echo "exit $?"
done <words >text
awk 'function judge() { if (word != "" && lines < 2) print word ": no definition" }
	/^\f/ { judge(); word = substr($0, 2); n++; lines = 0; next }
	{ lines += (++row[n] > 2 || $0 != "") ? 1 : 0 }
	row[n] == 2 && $0 == "" { print word ": no definition" }
	/^exit [0-9]+$/ { print word ": " $0 }
	length($0) > 80 && !/^[a-z_]+:? .*\(/ { print word ": " $0 }
	END { judge(); if (n > 80) print "all looked at" }' text
