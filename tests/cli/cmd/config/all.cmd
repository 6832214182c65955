# Every setting, its value and where it comes from; no line is wider than 100 columns.
printf 'diagnose:\n  G10:\n    warn: 0.1\n  rules: [G01, G10]\n' >traceq.yaml
TRACEQ_DIAGNOSE_G14_WARN="1 MiB" "$TRACEQ" config | tee all
awk 'length($0) > 100' all
"$TRACEQ" config diagnose.G10.warn --json
