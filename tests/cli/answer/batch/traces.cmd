# A sweep as traces: the sizes are those of --batch, the configuration, the metadata or the path.
for bs in 8 16 32; do
	mkdir -p sweep/bs$bs
	"$FIXTURES" healthy --steps 4 --seed $bs --memory >sweep/bs$bs/trace.json
done
"$TRACEQ" batch sweep/bs8/trace.json sweep/bs16/trace.json sweep/bs32/trace.json
echo "== a folder of runs, and --batch over the names"
"$TRACEQ" batch sweep -q --format csv | cut -d, -f1,2
"$TRACEQ" batch sweep/bs*/trace.json -q --batch 160,320,80 --format csv | cut -d, -f1,2
echo "== two runs of a size"
cp sweep/bs8/trace.json again_bs8.json
cp sweep/bs16/trace.json batch-size=8.json
"$TRACEQ" batch sweep/bs*/trace.json again_bs8.json batch-size=8.json -q --json |
	grep -o '"batch_size": [0-9]*, .*"latency_std_ns": [0-9.a-z]*, \|"runs": [0-9]*'
echo "== configuration and metadata"
mkdir -p runs/a runs/b
cp sweep/bs8/trace.json runs/a/trace.json
echo '{"model": "m", "batch_size": 4, "learning_rate": 0.1}' >runs/a/config.json
sed '0,/{/s//{"batch_size": "12",/' sweep/bs16/trace.json >runs/b/trace.json
"$TRACEQ" batch runs/a runs/b/trace.json -q --format csv | cut -d, -f1
echo "== what is not known"
for words in 'runs/b/trace.json runs/a/trace.json' 'sweep/bs8/trace.json' 'sweep/bs8 sweep/bs16 --batch 8' \
	'sweep/bs8 sweep/bs16 --batch 8,x' 'sweep/bs8 --batch 8' \
	'again_bs8.json sweep/bs8'; do
	# shellcheck disable=SC2086
	"$TRACEQ" batch $words -q >/dev/null
	echo "exit $?"
done
