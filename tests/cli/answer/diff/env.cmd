# Different GPUs are refused unless that is allowed; everything else is a warning.
"$FIXTURES" tiny | sed 's/"name": "NVIDIA [^"]*"/"name": "Tesla T4"/' >t4.json
"$FIXTURES" tiny >a.json
"$TRACEQ" diff a.json t4.json 2>&1
echo "exit $?"
"$TRACEQ" diff a.json t4.json --allow-env gpu -n 1 2>&1
echo "exit $?"
