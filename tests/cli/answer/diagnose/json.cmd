# What machines read: one row for each rule, numbers in base units.
"$FIXTURES" dataloader-bound --steps 8 >slow.json
"$TRACEQ" diagnose slow.json --rules G10,G11 --json
