# several ranks: beside each other, and which is the slowest
for r in 0 1 2 3; do "$FIXTURES" multi-rank --rank $r --world 4 --steps 3 --layers 3 >rank$r.json; done
"$TRACEQ" report -q rank?.json | head -30
# a folder of them is the same
mkdir ranks && cp rank?.json ranks && "$TRACEQ" report -q rank?.json | sed 3d >files.txt
"$TRACEQ" report ranks | sed 3d | cmp - files.txt && echo same
"$TRACEQ" plot --list ranks | grep -E 'straggler|timeline'
# one that cannot be read is left out, and the document says so
sed 's|"traceEvents": *\[|"traceEvents": 7, "x": [|' rank2.json >ranks/rank2.json
"$TRACEQ" report ranks 2>&1 | grep -iE 'left out|input  |rank[0-9]  '
