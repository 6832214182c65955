# A file of settings that the command does not name is said once where it changes an answer.
"$FIXTURES" healthy --steps 5 >a.json
say() { "$TRACEQ" "$@" >/dev/null; echo "exit $?" >&2; }
cat >traceq.yaml <<'YAML'
gate:
  tier: nightly
  noise: 1.5%
  min-steps: 2
  step_time: {tolerance: 4%, floor: 1ms}
YAML
echo "== gate, and what stands in its way" >&2
say gate a.json a.json
say gate a.json a.json -q
say gate a.json a.json --no-config
say gate a.json a.json --config traceq.yaml
say gate a.json a.json --config traceq.yaml --no-config
TRACEQ_GATE_NOISE=2% say gate a.json a.json
echo "== commands that do not look at it" >&2
say diagnose a.json
say top a.json
say baseline list none
say config
echo "== baseline and report do" >&2
say baseline add store a.json
say baseline add store a.json -q
say baseline add store a.json --no-config
say report a.json
printf 'diagnose: {G10: {warn: 7%%}}\n' >>traceq.yaml
say report a.json
say plot --list a.json
say report a.json -q
say report a.json --no-config
echo "== of a value that is the built-in one nothing is said" >&2
mkdir other elsewhere
printf 'gate: {tier: default}\n' >other/traceq.yaml
(cd other && say gate ../a.json ../a.json)
echo "== the environment names it" >&2
export TRACEQ_CONFIG=$PWD/traceq.yaml
(cd elsewhere && say gate ../a.json ../a.json && say gate ../a.json ../a.json --no-config)
"$TRACEQ" config gate.tier
"$TRACEQ" config gate.tier --no-config
