# 0: answered; 1 with --exit-code and a regression; 2: no answer.
"$FIXTURES" healthy --steps 8 >a.json && "$FIXTURES" dataloader-bound --steps 8 >b.json
code() { "$TRACEQ" diff "$@" -q >/dev/null; echo "$?: $*"; }
code a.json b.json
code a.json b.json --exit-code
code b.json a.json --exit-code
code a.json a.json --exit-code
code a.json missing.json
code a.json b.json --threshold 9000%
code a.json b.json --exit-code --threshold 100%
