"$FIXTURES" tiny >t.json
COLUMNS=80 script -qec "'$TRACEQ' top t.json --color=never" /dev/null | tr -d '\r'
