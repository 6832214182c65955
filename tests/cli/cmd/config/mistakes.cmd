# Each mistake in the file is named with its place.
try() { printf "$1" >traceq.yaml; "$TRACEQ" config; echo "exit $?"; }
try 'diagnos:\n  G10: {warn: 5%%}\n'
try 'diagnose:\n  G10:\n    wran: 5%%\n'
try 'diagnose:\n  G100: {}\n'
try 'diagnose:\n  G10:\n    warn: 5\n'
try 'diagnose:\n  G10:\n    warn: [1, 2]\n'
try 'diagnose:\n  G10:\n    warn:\n'
try 'diagnose:\n  G07: {gap: 20}\n'
try 'diagnose:\n  min-severity: loud\n'
try 'diagnose: &x {}\n'
try 'diagnose: {}\n---\ndiagnose: {}\n'
try 'diagnose:\n\tG10: 1\n'
try 'diagnose:\n  rules: [G01\n'
try 'diagnose:\n  G10: {warn: 5%%}\n  G10: {warn: 6%%}\n'
try '[diagnose]\nrules = "G01"\n'
rm traceq.yaml
"$TRACEQ" config --config none.yaml; echo "exit $?"
mkdir traceq.yaml
"$TRACEQ" config; echo "exit $?"
rmdir traceq.yaml
TRACEQ_DIAGNOSE_G10_WARN=much "$TRACEQ" config; echo "exit $?"
TRACEQ_DIAGNOSE_G10_WRAN=5% "$TRACEQ" config; echo "exit $?"
TRACEQ_SOMETHING=1 "$TRACEQ" config diagnose.rules; echo "exit $?"
"$TRACEQ" config diagnose.G99; echo "exit $?"
"$TRACEQ" config a b; echo "exit $?"
