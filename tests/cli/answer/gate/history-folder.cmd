# --history and a run's folder: what is wanted is said.
mkdir run
"$FIXTURES" artifact run-metrics >run/metrics.json
"$TRACEQ" gate --history run run
echo "exit $?"
"$TRACEQ" gate --history run/ run
