# Like with like: another GPU is no answer, unless it is allowed; then speed is a warning.
"$FIXTURES" healthy --steps 8 --seed 1 >a.json
"$FIXTURES" healthy --steps 8 --seed 2 | sed 's/NVIDIA H100 80GB HBM3/NVIDIA A100-SXM4-40GB/' >b.json
"$FIXTURES" dataloader-bound --steps 8 --seed 2 | sed 's/NVIDIA H100 80GB HBM3/NVIDIA A100-SXM4-40GB/' >slow.json
"$TRACEQ" gate a.json b.json
echo "exit $?"
"$TRACEQ" gate a.json slow.json --allow-env gpu --md m.md
echo "exit $?"
cat m.md
"$TRACEQ" gate a.json slow.json --allow-env gpu,moon
echo "exit $?"
printf 'gate: {env: [world_size]}\n' >traceq.yaml
"$TRACEQ" gate a.json b.json -q
echo "exit $?"
printf 'gate: {env: [moon]}\n' >traceq.yaml
"$TRACEQ" gate a.json b.json
echo "exit $?"
rm traceq.yaml
"$TRACEQ" baseline add store a.json -q && "$TRACEQ" gate store b.json
echo "exit $?"
