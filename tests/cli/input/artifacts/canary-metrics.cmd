# S3-A1
"$FIXTURES" artifact canary-metrics --rows 6 >f
"$TRACEQ" info f 2>&1
