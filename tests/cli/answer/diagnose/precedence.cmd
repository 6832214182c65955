# Option over variable over file over what is built in.
"$FIXTURES" dataloader-bound --steps 8 >slow.json
severity() { "$TRACEQ" diagnose slow.json --rules G10 --format tsv -q "$@" | grep -oE '(CRIT|WARN|ok)	G10'; }
severity
printf 'diagnose:\n  G10: {warn: 70%%, crit: 80%%}\n' >traceq.yaml
severity
export TRACEQ_DIAGNOSE_G10_WARN=30%
severity
severity -t G10.crit=40%
"$TRACEQ" config diagnose.G10
unset TRACEQ_DIAGNOSE_G10_WARN
printf 'diagnose:\n  rules: [G01]\n  min-severity: warn\n' >other.yaml
"$TRACEQ" diagnose slow.json --config other.yaml | tail -n 4
TRACEQ_CONFIG=other.yaml "$TRACEQ" config diagnose.rules
