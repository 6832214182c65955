# Ranks that are missing, a copy, a trace of another job, a file that is none; one rank alone.
"$FIXTURES" multi-rank --all-ranks whole --world 4 --layers 1 --steps 5
"$FIXTURES" multi-rank --all-ranks other --world 2 --layers 1 --steps 5
mkdir job
cp whole/rank0.json whole/rank2.json whole/rank3.json job
cp whole/rank0.json "job/rank0 (1).json"
cp other/rank1.json job/from_elsewhere.json
echo hello >job/notes.txt
"$TRACEQ" ranks job | sed '/^rank by rank/,/^note/d'
echo "== one rank"
"$TRACEQ" ranks whole/rank1.json
"$TRACEQ" ranks whole --device 2
echo "== a folder of other things"
mkdir none && echo hello >none/notes.txt
"$TRACEQ" ranks none
