"$FIXTURES" artifact genai-perf >f
"$TRACEQ" info f 2>&1
"$TRACEQ" metrics f -n 0
