# what a trace alone answers of the week-1 questions, and what is missing
"$FIXTURES" launch-bound --steps 5 --memory >t.json
"$TRACEQ" report --style week1 t.json | sed -n '/^TOP BOTTLENECKS/,/^HEAVIEST/p;/^SUCCESS/,$p'
"$TRACEQ" report --style week1 --format seed t.json
