# What came differs: another operation, another type, another number of elements; and another shape,
# which is none.
. "$T/dumps.sh"
three() { # CALL CALL CALL: of ranks 0, 1, 2
	local r
	for r in 0 1 2; do
		dump $r 'W: 0,1,2' <<<"1 W $1 step train.py"
		shift
	done
	"$TRACEQ" hang . | sed '/^Ranks/,$d'
}
echo == operation
three 'all_reduce 1 scheduled [8] Float' 'broadcast 1 scheduled [8] Float' 'all_reduce 1 scheduled [8] Float'
echo == type
three 'all_reduce 1 scheduled [8] Float' 'all_reduce 1 scheduled [8] Float' 'all_reduce 1 scheduled [8] Half'
echo == size
three 'all_reduce 1 scheduled [8] Float' 'all_reduce 1 scheduled [8] Float' 'all_reduce 1 scheduled [9] Float'
echo == shapes of as many elements fit
three 'all_reduce 1 scheduled [8] Float' 'all_reduce 1 scheduled [8] Float' 'all_reduce 1 scheduled [4,2] Float'
echo == each its own number of elements, in all_to_all
three 'all_to_all 1 scheduled [8] Float' 'all_to_all 1 scheduled [9] Float' 'all_to_all 1 scheduled [7] Float'
echo == two ranks, of which either may be wrong
rm _dump_2
for r in 0 1; do
	dump $r 'W: 0,1' <<<"1 W all_reduce 1 scheduled [$((r + 8))] Float"
done
"$TRACEQ" hang .
