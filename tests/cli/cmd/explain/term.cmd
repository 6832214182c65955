"$TRACEQ" explain self time
echo
"$TRACEQ" explain BUSY
echo
"$TRACEQ" explain sort-key
