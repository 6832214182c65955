# A filter that means nothing to a command is refused, and its help does not have it.
"$FIXTURES" tiny >t.json
"$TRACEQ" info --steps 1 t.json; echo "exit $?"
"$TRACEQ" check -f mm t.json; echo "exit $?"
"$TRACEQ" memory --cat kernel t.json; echo "exit $?"
"$TRACEQ" info -h | grep More
"$TRACEQ" check --help | grep -c -e --steps -e --device -e --stream -e --cat -e --filter
"$TRACEQ" memory --help | grep -c -e '^  .*--cat'
"$TRACEQ" help --man info | grep -c 'steps.*LIST'
"$TRACEQ" completion bash | grep -A3 -w 'info)' | grep -c -e --steps
true
