# 1 when something is CRIT and that was asked for; limits may move it.
"$FIXTURES" dataloader-bound --steps 8 >slow.json
"$TRACEQ" diagnose slow.json --rules G10 >/dev/null; echo "exit $?"
"$TRACEQ" diagnose slow.json --rules G10 --exit-code >/dev/null; echo "exit $?"
"$TRACEQ" diagnose slow.json --rules G10 --exit-code -t G10.crit=90% >/dev/null; echo "exit $?"
"$TRACEQ" diagnose slow.json --rules=-G10,-G01 --exit-code >/dev/null; echo "exit $?"
