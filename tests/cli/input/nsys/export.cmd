# An export of Nsight Systems as a file, through a pipe, compressed; what is known of it, and where its events are.
"$TRACEQ" --version | grep -q SQLite || { echo "traceq was built without SQLite"; exit 77; }
"$FIXTURES" multi-gpu --steps 2 --layout nsys >report.sqlite
gzip -n <report.sqlite >report.gz
"$TRACEQ" info report.sqlite | grep -v '^file size\|^text'
"$TRACEQ" top report.sqlite >file
"$TRACEQ" top - <report.sqlite | cmp - file && echo "a pipe says the same"
"$TRACEQ" top report.gz | cmp - file && echo "compressed, too"
"$TRACEQ" stacks -n 4 report.sqlite
"$TRACEQ" memory report.sqlite
