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
# A store is of one machine, too, until somebody says why it goes on with another.
"$TRACEQ" baseline add store b.json
echo "exit $?"
"$TRACEQ" gate store a.json -q | head -1
"$TRACEQ" baseline add store b.json --accept "the new machines"
echo "exit $?"
"$TRACEQ" gate store b.json -q | head -1
"$TRACEQ" gate store a.json -q
echo "exit $?"
export SOURCE_DATE_EPOCH=1767225600
for i in $(seq 12); do "$TRACEQ" baseline add nights a.json -q; done
"$TRACEQ" gate --history nights a.json -q | head -1
"$TRACEQ" gate --history nights b.json
echo "exit $?"
"$TRACEQ" gate --history nights slow.json --confirm 1 --allow-env gpu -q | grep -E '^gate|step_time|gpu_busy'
echo "exit ${PIPESTATUS[0]}"
