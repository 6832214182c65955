# What is wrong is said with the file and what to do; nothing is left behind.
say() {
	echo "> $*"
	"$TRACEQ" "$@"
	echo "exit $?"
}
rank() {
	sed "1s|.*|{\"distributedInfo\": {\"rank\": $1, \"world_size\": $2},\n\"traceEvents\":[|" "$T/drawn.json"
}
rank 0 4 >r0.json
rank 2 4 >r2.json
rank 0 2 >other.json
cp r0.json again.json
: >empty.json
echo 'no trace' >text.json
mkdir nothing
exec 2>&1
say merge -o o.json
say merge r0.json -o one.json
say merge r0.json r0.json -o o.json
say merge r0.json again.json -o o.json
say merge r0.json r2.json -o two.json
say merge r0.json other.json -o o.json
say merge r0.json missing.json -o o.json
say merge r0.json empty.json -o o.json
say merge r0.json text.json -o o.json
say merge nothing -o o.json
say merge r0.json r2.json -o r2.json
say merge r0.json r2.json -o missing/o.json
say merge r0.json r2.json -o o.json --rank 7
say merge r0.json r2.json -o o.json --steps 9
say merge r0.json r2.json -o o.json --time 1ms-
say merge r0.json r2.json -o o.json --around step:1
say merge r0.json r2.json -o o.json --level x
mkdir job
cp r0.json r2.json job
say merge job -o job/r2.json
cmp job/r2.json r2.json
ls . job
