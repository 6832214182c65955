"$TRACEQ" tpo
echo "exit $?"
"$TRACEQ" xyzzy trace.json
echo "exit $?"
"$TRACEQ" TOP
echo "exit $?"
# Abbreviations are not accepted: a later command could make them ambiguous.
"$TRACEQ" expl
