# A device, stream, rank, step or category that no input has is an error that names what there is;
# of several inputs those that have it are answered for.
"$FIXTURES" tiny >tiny.json
"$FIXTURES" multi-gpu --steps 3 >two.json
sed 's/"rank":[0-9]*/"rank":1/' two.json >other.json
try() {
	echo "== $*"
	"$TRACEQ" "$@" -q >out 2>&1
	echo "exit $?"
	sed -n 1,4p out
}
for what in '--device 7' '--stream 99' '--rank 9' '--steps 99' '--cat memset'; do
	# shellcheck disable=SC2086
	try top tiny.json $what
done
try top two.json --device 1,2,7 --stream 99
for verb in summary steps kernels idle launches stages stacks timeline copies comms diagnose memory \
	report 'plot idle-causes' 'diff two.json' 'gate two.json' 'noise two.json'; do
	# shellcheck disable=SC2086
	"$TRACEQ" $verb two.json --device 7 -q >out 2>err
	echo "$verb: exit $? $(wc -c <out) $(grep -c -- "--device '7'" err)"
done
# One of several has it.
"$TRACEQ" top tiny.json two.json --device 1 --format csv -n 1 | cut -c 1-40
"$TRACEQ" top tiny.json two.json --device 1 -n 1 | grep 'no answer'
try top tiny.json two.json --device 5
try steps tiny.json two.json --steps 3-
try diff two.json tiny.json --device 1
try diff two.json two.json --rank 4
