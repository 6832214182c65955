# A gzip whose checksum alone is wrong: everything inflated, so nothing is missing.
"$FIXTURES" healthy --steps 2 | gzip -n >whole.json.gz
head -c -8 whole.json.gz >wrong.json.gz
printf 'abcd' >>wrong.json.gz
tail -c 4 whole.json.gz >>wrong.json.gz
"$TRACEQ" info wrong.json.gz 2>&1 >/dev/null
"$TRACEQ" check wrong.json.gz -q | head -n 2
# damage in the middle is told as before
{ head -c 30000 whole.json.gz; head -c 600 /dev/zero | tr '\0' '\377'; tail -c +30601 whole.json.gz; } >torn.json.gz
"$TRACEQ" info torn.json.gz 2>&1 >/dev/null | grep -o 'the rest is missing' | head -n 1
