# what a trace allows, and why not the rest
"$FIXTURES" comm-bound --steps 2 >t.json
"$TRACEQ" plot --list t.json
