"$TRACEQ" explain slef_time
echo "exit $?"
"$TRACEQ" explain xyzzy
