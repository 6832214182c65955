# the model of a file
"$FIXTURES" artifact baseline-metrics >baseline_metrics.json
"$TRACEQ" fit baseline_metrics.json --gpu T4
