"$TRACEQ" top no-such-file.json.gz
echo "exit $?"
"$TRACEQ" top ''
