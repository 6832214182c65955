# A document of headings alone is no answer; nothing is written.
mkdir empty
"$FIXTURES" artifact label-mappings >labels.json
for input in empty labels.json; do
	"$TRACEQ" report $input -o report.html
	echo "exit $?"
done
ls
