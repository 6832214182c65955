# limits of rules: built in, from traceq.yaml, from the environment, from -t; wrong ones are refused
"$FIXTURES" artifact tfevents >log
spikes() { "$TRACEQ" metrics log -q "$@" | grep -E '^(D0|\(no rows)'; }
spikes
printf 'metrics:\n  D04:\n    spread: 1000\n' >traceq.yaml
spikes
TRACEQ_METRICS_D04_SPREAD=1 spikes
spikes -t D04.spread=1 -t D04.before=10 -t D04.recover=1
"$TRACEQ" config metrics.D04
rm traceq.yaml
"$FIXTURES" artifact profile | sed 's/"total_sec": 25.0/"total_sec": 24.0/' >profile.json
"$TRACEQ" metrics profile.json -q -t D15.share=1% | grep '^D15'
"$TRACEQ" metrics profile.json -q | grep '^D15'
for t in D04 D04.spread D04.spread=x D99.spread=1 =1; do
	"$TRACEQ" metrics log -t "$t"
	echo "$?"
done
