# The forms of the documents stand here and nowhere in the help of commands; the old word finds them.
"$TRACEQ" explain documents
"$TRACEQ" explain seed | head -n 1
for c in diff metrics diagnose check fit batch report; do
	"$TRACEQ" "$c" --help | grep -c 'seed'
done
"$TRACEQ" fit --seed-compat -q | head -n 3
