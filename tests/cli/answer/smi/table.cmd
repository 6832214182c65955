# every form of the file; two GPUs interleaved; a trace beside it
for n in smi smi-bare smi-two smi-index smi-long; do
	"$FIXTURES" artifact "$n" >"$n.csv"
done
"$TRACEQ" smi smi.csv
"$TRACEQ" smi smi-bare.csv
"$TRACEQ" smi smi-two.csv --format md
"$TRACEQ" smi smi-index.csv --target 85% -q
"$FIXTURES" dataloader-bound --steps 2 >t.json
"$TRACEQ" smi smi-two.csv t.json --ascii
"$TRACEQ" smi smi-two.csv --json -q
"$TRACEQ" smi smi.csv --format csv -q
