"$TRACEQ" help tpo
echo "exit $?"
"$TRACEQ" help top info
echo "exit $?"
"$TRACEQ" help --man nonsense
