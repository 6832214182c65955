"$FIXTURES" artifact otlp-spans >f
"$TRACEQ" info f 2>&1
