# Exit codes as a shell and make see them: 1 is only ever "worse", 2 only ever "no answer", and make
# makes 2 of both; so what is benign is 0.
"$FIXTURES" healthy --steps 8 --seed 1 >good.json
"$FIXTURES" dataloader-bound --steps 8 >bad.json
echo '{"x": 1' >broken.json
head -c 3000 good.json >cut.json
printf 'gate: {teir: perf}\n' >bad.yaml
cat >Makefile <<'M'
t = @$(TRACEQ) gate -q
pass: ; $(t) good.json good.json
regressed: ; $(t) good.json bad.json
broken: ; $(t) good.json broken.json
cut: ; $(t) good.json cut.json --strict
nobase: ; $(t) none.json good.json
allowed: ; $(t) none.json good.json --missing-baseline warn
config: ; $(t) good.json good.json --config bad.yaml
usage: ; $(t) good.json good.json --no-such-option
nothing: ; $(t) good.json good.json --warmup 100
full: ; $(t) good.json good.json >/dev/full
soft: ; -$(t) good.json bad.json
M
for what in pass regressed broken cut nobase allowed config usage nothing full soft; do
	line=$(sed -n "s/^$what: ; -*\$(t)/gate -q/p" Makefile)
	(eval "\"$TRACEQ\" $line") >/dev/null 2>&1
	shell=$?
	make "$what" >/dev/null 2>&1
	echo "$what: shell $shell, make $?"
done
set -o pipefail
"$TRACEQ" gate good.json bad.json | cat >/dev/null
echo "pipe: $?"
if "$TRACEQ" gate good.json bad.json >/dev/null; then echo passed; else echo "worse or unknown"; fi
"$TRACEQ" gate good.json bad.json >/dev/null || [ $? = 1 ] && echo "worse, for sure"
