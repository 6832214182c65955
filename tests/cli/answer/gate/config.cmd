# traceq.yaml: tiers, single checks, acknowledged changes that end; each mistake has its place.
"$FIXTURES" healthy --steps 8 --seed 1 >a.json
"$FIXTURES" dataloader-bound --steps 8 >b.json
export SOURCE_DATE_EPOCH=1767225600 # 2026-01-01
try() {
	printf '%b' "$1" >traceq.yaml
	"$TRACEQ" gate a.json b.json
	echo "exit $?"
}
try 'gate:\n  tier: nightly\n  noise: 1%\n  gpu_busy: {level: warn}\n  step_time:\n    tolerance: 10%\n    level: warn\n  "op:gemm":\n    tolerance: 15%\n    floor: 0.5ms\n'
try 'gate:\n  gpu_busy: {level: "off"}\n  accept:\n    step_time:\n      ratio: 2.4\n      until: 2026-01-01\n      reason: the loader of the new data set\n'
try 'gate:\n  accept:\n    step_time:\n      ratio: 2.4\n      until: 2025-12-31\n'
try 'gate:\n  accept:\n    step_time: {ratio: 2.4, until: tomorrow}\n'
try 'gate:\n  step_time: {tolerence: 5%}\n'
try 'gate:\n  stepp_time: {tolerance: 5%}\n'
try 'gate:\n  step_time: {floor: 5 minutes}\n'
try 'gate:\n  tier: weekly\n'
rm traceq.yaml
TRACEQ_GATE_TIER=smoke "$TRACEQ" gate a.json a.json -q | head -1
"$TRACEQ" config gate
