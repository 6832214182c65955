# script and data, which are the same wherever gnuplot is not
"$FIXTURES" healthy --steps 3 >t.json
PATH= "$TRACEQ" plot step-ledger t.json -o a.svg; echo "exit $?"
cat a.gp a.dat
