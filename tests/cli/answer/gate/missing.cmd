# No base: an error, unless it was said to be none; a missing new side always is.
"$FIXTURES" healthy --steps 8 >a.json
mkdir empty
for how in error warn pass; do
	"$TRACEQ" gate none a.json --missing-baseline $how
	echo "exit $?"
done
"$TRACEQ" gate empty a.json --missing-baseline warn --json
echo "exit $?"
"$TRACEQ" gate a.json none --missing-baseline pass
echo "exit $?"
# A server shows that nothing was compared, and not a green mark alone.
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=s.md "$TRACEQ" gate none a.json --missing-baseline warn
cat s.md
printf 'gate:\n  missing-baseline: pass\n' >traceq.yaml
"$TRACEQ" gate none a.json --md m.md
echo "exit $?"
cat m.md
"$TRACEQ" gate a.json
echo "exit $?"
