# Every way to end, as a shell and as make see it: 1 only for "worse" (and what --fail-on adds to
# it), 2 whenever there is no answer; make makes 2 of both, so that nothing benign may be 2.
export SOURCE_DATE_EPOCH=1767225600 # 2026-01-01
"$FIXTURES" healthy --steps 8 --seed 1 --memory >good.json
"$FIXTURES" healthy --steps 8 --seed 2 --memory >like.json
"$FIXTURES" dataloader-bound --steps 8 --memory >bad.json
"$FIXTURES" healthy --steps 2 >few.json
sed 's/NVIDIA H100 80GB HBM3/NVIDIA A100-SXM4-40GB/' good.json >other.json
echo '{"x": 1' >broken.json
head -c 3000 good.json >cut.json
printf 'just text\n' >text
mkdir empty
awk 'BEGIN { print "d,step_time"; for (i = 0; i < 30; i++) print "n" i "," 100 + i * 7919 % 13 / 10 }' >flat.csv
(cat flat.csv; echo "n30,120"; echo "n31,121") >rise.csv
(cat flat.csv; echo "n30,120") >off.csv
head -5 flat.csv >short.csv
printf 'gate: {teir: perf}\n' >key.yaml
printf 'gate: {tier: weekly}\n' >value.yaml
printf 'gate: {accept: {step_time: {ratio: 3, until: 2025-12-31}}}\n' >expired.yaml
printf 'gate: {accept: {step_time: {ratio: 3, until: 2026-01-01}}, gpu_busy: {level: "off"}}\n' >accepted.yaml
printf 'gate: [\n' >broken.yaml
printf 'gate: {launches_per_step: {level: "off"}}\n' >few.yaml
printf 'base_teir: smoke\n' >t.yaml
"$TRACEQ" baseline add store good.json like.json -q
cat >list <<'L'
passed|gate good.json like.json
improved|gate bad.json good.json
noisy|gate good.json like.json --check step_time=0%
warned|gate good.json bad.json --config warn.yaml
skipped|gate good.json like.json --check op:^nothing$=5%
accepted|gate good.json bad.json --config accepted.yaml
no base, allowed|gate none.json good.json --missing-baseline warn
no base, allowed silently|gate empty good.json --missing-baseline pass
history passes|gate --history flat.csv
history, one night off|gate --history off.csv
diff of a regression|diff good.json bad.json
store: passed|gate store like.json
worse|gate good.json bad.json
worse, store|gate store bad.json
worse, history|gate --history rise.csv
worse, one night|gate --history off.csv --confirm 1
estimate alone|gate good.json like.json --check step_time=0% --gate-on estimate
noisy, and that fails|gate good.json like.json --check step_time=0% --fail-on noisy
warned, and that fails|gate good.json bad.json --config warn.yaml --fail-on warn
skipped, and that fails|gate good.json like.json --check op:^nothing$=5% --fail-on skip
diff --exit-code|diff good.json bad.json --exit-code
refused by the store|baseline add store bad.json
no base|gate none.json good.json
no base, empty folder|gate empty good.json
no new side|gate good.json none.json --missing-baseline pass
store alone|gate store
no operand|gate
three sides|gate good.json like.json bad.json
broken base|gate broken.json good.json
broken new|gate good.json broken.json
no trace|gate good.json text
cut, strict|gate good.json cut.json --strict
folder|gate good.json empty
nothing to compare|gate good.json good.json --warmup 100
another GPU|gate good.json other.json
unknown option|gate good.json like.json --tear perf
unknown tier|gate good.json like.json --tier weekly
unknown check|gate good.json like.json --check stepp_time=5%
bad expression|gate good.json like.json --check op:(=5%
bad tolerance|gate good.json like.json --check step_time=much
unknown key|gate good.json like.json --config key.yaml
bad value|gate good.json like.json --config value.yaml
no YAML|gate good.json like.json --config broken.yaml
no configuration|gate good.json like.json --config none.yaml
expired|gate good.json bad.json --config expired.yaml
bad thresholds|gate good.json bad.json --thresholds t.yaml
report nowhere|gate good.json like.json --junit none/j.xml
report over an input|gate good.json like.json --md like.json
history too short|gate --history short.csv
no history|gate --history text
history of nothing|gate --history none.csv
noise of one run|noise good.json
no store|baseline list none
full disk|gate good.json like.json >/dev/full
full disk, worse|gate good.json bad.json >/dev/full
full disk, report|gate good.json like.json --md /dev/full
full disk, summary|gate good.json like.json --ci github
L
printf 'gate: {step_time: {level: warn}, gpu_busy: {level: warn}}\n' >warn.yaml
export GITHUB_STEP_SUMMARY=/dev/full T=$TRACEQ
n=0
while IFS='|' read -r what args; do
	n=$((n + 1))
	case $args in # the parentheses and dollars are the shell's and make's
	*'>'*) redirect=">${args##*>}" args=${args%% >*} ;;
	*) redirect= ;;
	esac
	printf 'set -f; exec "$T" %s -q %s\n' "$(sed "s/op:[^ ]*/'&'/" <<<"$args")" "$redirect" >"run.$n"
	sh "run.$n" >out 2>err
	shell=$?
	printf 'it: ; @sh run.%d\n' "$n" >Makefile
	make it >/dev/null 2>&1
	echo "$shell $? $what"
	[ "$shell" != 2 ] || [ -s err ] || echo "   without a word"
done <list
