# four values at steps 0 to 30; the file names the metric
mkdir metrics
"$FIXTURES" artifact mlflow >metrics/loss
"$TRACEQ" info metrics/loss 2>&1
"$TRACEQ" metrics metrics
