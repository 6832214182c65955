# Wrong operands: one line that says what is wanted, exit 2.
"$FIXTURES" tiny >a.json
mkdir empty nothing && echo hello >nothing/notes.txt
try() { "$TRACEQ" diff "$@"; echo "exit $?"; }
try 2>&1
try a.json 2>&1
try a.json a.json a.json 2>&1
try a.json vs 2>&1
try a.json vs a.json vs a.json 2>&1
try a.json empty 2>&1
try a.json nothing 2>&1
try a.json missing 2>&1
try a.json a.json --threshold 5x 2>&1
try a.json a.json --warmup -1 2>&1
try a.json a.json --warmup 9 2>&1
try a.json a.json -f '(' 2>&1
