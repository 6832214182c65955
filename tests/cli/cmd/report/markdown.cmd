# what is pasted into a pull request, of two inputs
"$FIXTURES" copy-bound --steps 3 >a.json
"$FIXTURES" launch-bound --steps 3 >b.json
"$TRACEQ" report --style run a.json b.json -o r.md && head -n 40 r.md
# the same bytes, whatever the number of threads
"$TRACEQ" report --style run a.json b.json -o s.md -j 1 && cmp r.md s.md && echo same
