# a step that waits for its data: the class is named, and so is what the CPU was in
"$FIXTURES" dataloader-bound --steps 3 >t.json
"$TRACEQ" idle t.json -n 4
"$TRACEQ" idle t.json -n 1 --steps 4 --kernel-wait 0 -q
