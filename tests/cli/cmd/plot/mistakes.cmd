"$FIXTURES" cpu-only >t.json
try() { "$TRACEQ" plot "$@"; echo "exit $?"; }
try
try step-time
try t.json
try step-tiem t.json
try top-kernels t.json
try step-time t.json -o chart.gif
try step-time t.json -o no/such/folder/chart.svg
try step-time nowhere.json
mkdir empty
try step-time empty
ls
