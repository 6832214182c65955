# S1-A3
"$FIXTURES" artifact smi-bare --rows 6 >f
"$TRACEQ" info f 2>&1
