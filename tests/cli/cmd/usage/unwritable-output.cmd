cp "$T/tiny.json" .
"$TRACEQ" top tiny.json -o no/such/folder.json
echo "exit $?"
mkdir folder.json
"$TRACEQ" top tiny.json -o folder.json
echo "exit $?"
"$TRACEQ" top tiny.json -o tiny.json
echo "exit $?"
ln tiny.json link.json
"$TRACEQ" top tiny.json -o link.json
echo "exit $?"
cmp tiny.json "$T/tiny.json" && ls -A
"$TRACEQ" top tiny.json -o ''
echo "exit $?"
