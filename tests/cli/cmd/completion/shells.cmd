"$TRACEQ" completion
echo "exit $?"
"$TRACEQ" completion tcsh
