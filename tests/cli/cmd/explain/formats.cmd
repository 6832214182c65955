"$TRACEQ" explain idle --json
"$TRACEQ" explain idle --format csv
"$TRACEQ" explain idle -o out.md && cat out.md
"$TRACEQ" explain --json >all.json
"$TRACEQ" explain --format csv | sed -n 1p
