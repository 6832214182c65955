# What is no file and no command, nothing to read, wrong options, formats it has not.
"$FIXTURES" tiny >t.json
echo text >notes
mkdir empty
for words in nosuchfile nosuch.json sub/top tpo notes empty 't.json nosuch.json' 't.json --sort calls' 't.json --json' \
	't.json -o x.html' 't.json -o t.json' 't.json --steps 99' overview; do
	# shellcheck disable=SC2086
	"$TRACEQ" $words >out
	echo "exit $? of $words"
done
"$TRACEQ" t.json -o t.md -q
head -n 1 t.md
