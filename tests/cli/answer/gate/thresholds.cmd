# rlhf-canary's own files: flat, and as a block of a run's configuration; mistakes have their place.
"$FIXTURES" healthy --steps 8 --seed 1 --memory >a.json
"$FIXTURES" dataloader-bound --steps 8 --seed 2 --memory >b.json
try() {
	printf '%b' "$1" >t.yaml
	"$TRACEQ" gate a.json b.json --thresholds t.yaml
	echo "exit $?"
}
try 'base_tier: smoke\nmax_step_time_increase_pct: 90\nmax_tps_drop_pct: 15.0\nmax_mem_increase_mb: 750\n'
try 'name: dpo\nmax_steps: 100\nthresholds:\n  base_tier: perf\n  max_step_time_increase_pct: 7.5\n  nan_steps_allowed: 2\n  min_step_count: 5\n  confidence_level: 0.95\n'
try 'min_step_count: 20\n'
try 'base_tier: weekly\n'
try 'max_step_time_incraese_pct: 10\n'
try 'max_step_time_increase_pct: much\n'
try 'max_step_time_increase_pct: [1, 2]\n'
echo "overrides in a block: the same as flat"
printf 'base_tier: smoke\nmax_step_time_increase_pct: 90\n' >flat.yaml
printf 'base_tier: smoke\noverrides:\n  max_step_time_increase_pct: 90\n' >block.yaml
printf 'name: x\nthresholds:\n  base_tier: smoke\n  overrides:\n    max_step_time_increase_pct: 90\n' >run.yaml
for f in flat block run; do
	"$TRACEQ" gate a.json b.json --thresholds "$f.yaml" >"$f.out"
	echo "exit $?"
done
cmp flat.out block.out && cmp flat.out run.out
try 'base_tier: smoke\noverrides:\n  max_tps_drop: 90\n'
try 'limits:\n  max_tps_drop_pct: 5\n'
try 'overrides:\n  base_tier:\n    max_tps_drop_pct: 5\n'
printf 'overrides:\n' >empty.yaml
"$TRACEQ" gate a.json b.json --thresholds empty.yaml >/dev/null
echo "exit $?"
"$TRACEQ" gate a.json b.json --thresholds none.yaml
echo "exit $?"
