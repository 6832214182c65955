"$FIXTURES" artifact jaeger-spans >f
"$TRACEQ" info f 2>&1
