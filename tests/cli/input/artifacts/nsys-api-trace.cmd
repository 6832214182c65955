# calls of CUDA, a row each: two launches of 0.5 and 0.7 us
"$FIXTURES" artifact nsys-api-trace >f
"$TRACEQ" top f
