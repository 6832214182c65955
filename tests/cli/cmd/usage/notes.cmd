# Notes of csv go to stderr; -q silences them; warnings of a table stay off stdout.
head -c 400 "$T/tiny.json" >cut.json
"$TRACEQ" top cut.json --format csv >csv 2>csv.err
grep -c 'traceq: cut.json: ' csv.err
grep -c 'ends too early' csv
"$TRACEQ" top cut.json -q --format csv 2>&1 | cmp - csv && echo same
"$TRACEQ" top cut.json 2>table.err | grep -c 'ends too early'
cat table.err
"$TRACEQ" top --strict cut.json
