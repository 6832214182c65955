# who says how much runs of the same code differ: the option, then diff.noise, then what gate has
"$FIXTURES" healthy --steps 8 >base.json
"$FIXTURES" copy-bound --steps 8 --seed 2 >new.json
show() {
	"$TRACEQ" diff base.json new.json -n 3 --by kernel "$@" 2>&1 |
		sed -n -e '/^step time$/,/^$/p' -e '/^device work/,/more,/p' -e '/^note/p' -e '/^traceq:/p' | cut -c 1-110
}
echo "== nobody"
show
printf 'gate:\n  noise: 3%%\n' >traceq.yaml
echo "== gate.noise"
show -q
printf 'gate:\n  noise: 3%%\n  step_time: {noise: 2%%}\n' >traceq.yaml
echo "== a check's own"
show -q | grep -e mean
printf 'gate:\n  noise: 3%%\ndiff:\n  noise: 1%%\n' >traceq.yaml
echo "== diff.noise"
show -q | grep -e mean
echo "== --noise"
show -q --noise 5% | grep -e mean
show --noise much
