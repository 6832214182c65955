# A document of headings alone is no answer; nothing is written.
mkdir empty
"$FIXTURES" artifact smi >smi.csv
for input in empty smi.csv; do
	"$TRACEQ" report $input -o report.html
	echo "exit $?"
done
ls
