# TraceML: of a step of 200.4 ms 128 wait for input (63.9 %); its word for that is a value.  memray: figures, and where most was allocated
"$FIXTURES" artifact traceml >f
"$TRACEQ" info f 2>&1
"$TRACEQ" metrics f
"$FIXTURES" artifact memray >f
"$TRACEQ" info f 2>&1
