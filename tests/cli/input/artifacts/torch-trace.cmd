# three compiles: forward 2.5 and 1.5 s, loss 0.25 s, which failed; a graph break and a recompilation, with their reasons
"$FIXTURES" artifact torch-trace >f
"$TRACEQ" info f 2>&1
"$TRACEQ" metrics f --wide
