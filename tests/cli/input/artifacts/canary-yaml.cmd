# S3-A3
"$FIXTURES" artifact canary-yaml --rows 6 >f
"$TRACEQ" info f 2>&1
