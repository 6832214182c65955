# Settings from pipes, devices, folders and files without end: read, or refused at once.
"$FIXTURES" healthy --steps 8 >a.json
mkfifo pipe
mkdir folder here
printf 'gate: {tier: perf}\n' >good.yaml
head -c 1048577 /dev/zero | tr '\0' '#' >large.yaml
export TRACEQ
span_line() { echo "== $1" && echo "== $1" >&2; }
ask() { timeout 10 "$TRACEQ" "$@"; echo "exit $?"; }
for f in pipe folder /dev/zero large.yaml none; do
	span_line "$f"
	ask config gate.tier --config "$f"
	TRACEQ_CONFIG=$f ask config gate.tier
	ask gate a.json a.json --thresholds "$f"
done
span_line "a store that is a pipe"
ask baseline list pipe
ask baseline add pipe a.json
ask gate --history pipe
echo "== pipes that are open already"
ask config gate.tier --config <(cat good.yaml)
ask config gate.tier --config /dev/stdin <good.yaml
ask config gate.tier --config /dev/null
ask gate a.json a.json --thresholds <(echo 'base_tier: perf') -q | tail -n 1
{ echo time,step_time_ms; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $i,10; done; } >history.csv
ask gate --history <(cat history.csv) -q | tail -n 1
span_line "in this folder"
cd here && mkfifo traceq.yaml
ask config gate.tier
ask gate ../a.json ../a.json
ask gate ../a.json ../a.json --no-config -q | tail -n 1
