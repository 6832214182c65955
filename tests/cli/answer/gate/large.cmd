# Some figures may double: tolerances above 100 % are tolerances.
"$FIXTURES" healthy --steps 8 --seed 1 >a.json
"$FIXTURES" dataloader-bound --steps 8 >b.json
printf 'gate: {gpu_busy: {level: "off"}, step_time: {tolerance: 200%%}}\n' >traceq.yaml
"$TRACEQ" gate a.json b.json -q | grep -E '^gate|step_time'
rm traceq.yaml
"$TRACEQ" gate a.json b.json -q --check step_time=150% | grep -E '^gate|step_time'
printf 'max_step_time_increase_pct: 400\n' >t.yaml
"$TRACEQ" gate a.json b.json -q --thresholds t.yaml | grep -E '^gate|step_time'
"$TRACEQ" gate a.json b.json --check step_time=5
echo "exit $?"
"$TRACEQ" gate a.json b.json --noise 150%
echo "exit $?"
