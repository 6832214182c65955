"$FIXTURES" healthy --steps 3 >t.json
"$FIXTURES" gpu-only >g.json
for at in 9-7 1.5 5x 10ms ms-1 '' 5-6ms-7 99 1s-2s; do
	"$TRACEQ" timeline t.json --at "$at"
	echo "--at '$at': exit $?"
done
"$TRACEQ" timeline g.json --at 1
echo "exit $?"
"$TRACEQ" timeline t.json --marks 10000001
echo "exit $?"
