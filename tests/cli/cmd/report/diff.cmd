# a regression explained, as Markdown
"$FIXTURES" healthy --steps 5 >base.json
"$FIXTURES" copy-bound --steps 5 >new.json
"$TRACEQ" report --style diff base.json new.json --format md
