# A run that is cut off is added with a word, so that nobody takes it for a whole one.
"$FIXTURES" healthy --steps 8 --damage cut@3000000 >cut.json
"$TRACEQ" baseline add store cut.json
echo "exit $?"
"$TRACEQ" baseline add store cut.json -q
echo "exit $?"
