# A folder of pictures that cannot be made, and a file without a name: both say why.
"$FIXTURES" tiny >t.json
touch file
"$TRACEQ" report t.json --plots no/such/folder -o r.html
echo "exit $?"
"$TRACEQ" report t.json --plots file -o r.html
echo "exit $?"
"$TRACEQ" report t.json -o ''
echo "exit $?"
ls
