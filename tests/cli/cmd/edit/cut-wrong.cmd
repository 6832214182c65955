# What is wrong is said with the file and what to do; nothing is left behind.
say() {
	echo "> $*"
	"$TRACEQ" "$@"
	echo "exit $?"
}
cp "$T/drawn.json" d.json
: >empty.json
echo 'no trace' >text.json
mkdir folder
exec 2>&1
say cut
say cut -o o.json
say cut d.json d.json -o o.json
say cut missing.json -o o.json
say cut folder -o o.json
say cut empty.json -o o.json
say cut text.json -o o.json
say cut d.json -o d.json
say cut d.json -o missing/o.json
say cut d.json -o folder
say cut d.json -o o.txt
say cut d.json -o o.json --to csv
say cut d.json -o o.json --level 10
say cut d.json -o o.json --level 1
say cut d.json -o o.json --level ''
say cut d.json -o o.json --steps 9
say cut d.json -o o.json --steps x
say cut d.json -o o.json --steps 2-1
say cut d.json -o o.json --time 5
say cut d.json -o o.json --time 2ms-1ms
say cut d.json -o o.json --time s-1ms
say cut d.json -o o.json --time 5s-
say cut d.json -o o.json --time 1ms-2ms --steps 1
say cut d.json -o o.json --time 1ms-2ms --around step:1
say cut d.json -o o.json --sample 5
say cut d.json -o o.json --device 3
say cut d.json -o o.json --device x
say cut d.json -o o.json -f '('
say cut d.json -o o.json -f 'no such name'
say cut d.json -o o.json --rank 1
say cut d.json -o o.json --annotate ''
say cut d.json -o o.json -j 0
say cut d.json -o o.json -j -1
say cut d.json -o o.pftrace.gz --nothing
ls
