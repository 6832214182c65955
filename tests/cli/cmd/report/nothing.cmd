# A document of headings alone is no answer; nothing is written.
mkdir empty
"$FIXTURES" artifact label-mappings >labels.json
for input in empty labels.json; do
	"$TRACEQ" report $input -o report.html
	echo "exit $?"
done
ls
# two sides that cannot be compared: the reason, not that there is nothing
"$FIXTURES" healthy --steps 2 >cuda.json
"$FIXTURES" rocm --steps 2 >rocm.json
"$TRACEQ" report --style diff cuda.json rocm.json
