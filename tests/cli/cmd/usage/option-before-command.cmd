"$TRACEQ" --json top trace.json
