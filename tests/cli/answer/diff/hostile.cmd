# Names from a trace: no control bytes on a terminal, quoted in CSV and JSON.
"$FIXTURES" tiny --damage escape-legal >a.json && "$FIXTURES" tiny --damage newline >b.json
"$TRACEQ" diff a.json b.json -n 0 >out 2>err
LC_ALL=C grep -c "$(printf '\033')" out err
"$TRACEQ" diff a.json b.json -n 0 --json -q | python3 -c 'import json, sys; json.load(sys.stdin)'
"$TRACEQ" diff a.json b.json -n 0 --format csv -q | python3 -c '
import csv, sys
print(sorted({len(r) > 0 for r in csv.reader(sys.stdin)}))'
