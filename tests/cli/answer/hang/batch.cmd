# A batch: its calls have no state of their own, the entry that ends it has.
. "$T/dumps.sh"
echo == completed as a whole, whatever its calls say
for r in 0 1; do
	dump $r 'W: 0,1' <<-END
		1 W _all_gather_base 1 scheduled [8] Float
		2 W _all_gather_base 1 scheduled [9] Float
		3 W coalesced 1 completed [8] Float
	END
done
"$TRACEQ" hang .
echo == under way, and the second of its calls differs
for r in 0 1; do
	dump $r 'W: 0,1' <<-END
		1 W _all_gather_base 1 scheduled [8] Float
		2 W _all_gather_base 1 scheduled [$((9 + r))] Float
		3 W coalesced 1 scheduled [8] Float
	END
done
"$TRACEQ" hang . | sed '/^Ranks/,$d'
