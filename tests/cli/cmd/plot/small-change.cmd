# A change too small for its digits has one sign.
"$FIXTURES" healthy --steps 8 --seed 1 >a.json
"$FIXTURES" dataloader-bound --steps 8 --seed 1 >b.json
"$TRACEQ" plot compare-step a.json b.json 2>/dev/null
grep -E '^[+]*[<>]? ?[+-]+0\.0' compare-step.gp
