# 24 MiB more at the end of each step
"$FIXTURES" leak --steps 8 >t.json
"$TRACEQ" memory t.json -n 3 --points 8
