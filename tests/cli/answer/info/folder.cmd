# A folder as one run: every file with its kind, links once, hidden ones not, further traces behind it.
artifact() { "$FIXTURES" artifact "$1" >"$2"; }
mkdir -p run/torch_profiler run/logs
"$FIXTURES" tiny >run/trace.json
"$FIXTURES" tiny --seed 2 --gzip >run/torch_profiler/b.pt.trace.json.gz
artifact op-csv run/torch_profiler/op_stats.csv
artifact run-config run/config.json
"$FIXTURES" artifact grpo-jsonl --gzip >run/logs/train.jsonl.gz
artifact smi run/gpu_usage.csv
artifact canary-yaml run/config.yaml
printf '\x89PNG\r\n\x1a\n' >run/chart.png
echo 'read me' >run/notes.txt
: >run/empty.json
"$FIXTURES" artifact stage-times | head -c 60 >run/stage_times.json
echo '{}' >run/.hidden.json
ln -s .. run/logs/up
ln -s train.jsonl.gz run/logs/latest.jsonl
mkdir -p a/1/2/3/4/5/6/7/8/9 && artifact smi a/1/2/3/4/5/6/7/8/9/deep.csv && artifact smi a/1/near.csv
"$TRACEQ" info run -n 3 2>&1 | sed '/^producer/,/Devices$/d'
echo "== strict"
"$TRACEQ" info --strict run >/dev/null
echo "exit $?"
echo "== deep"
"$TRACEQ" info a -n 1 2>&1
