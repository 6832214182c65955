# Of two devices one, and of its streams one: lanes are made while events are judged.
for d in 0 1; do
	echo "== device $d"
	{
		echo '{"traceEvents":['
		for s in $(seq 1 40); do
			echo "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k$s\",\"pid\":$((s % 2)),\"tid\":$s,\"ts\":$s,\"dur\":1,\"args\":{\"device\":$((s % 2)),\"stream\":$s}},"
		done
		echo '{"ph":"M","name":"process_name","pid":0,"tid":0,"args":{"name":"GPU"}}]}'
	} >t.json
	"$TRACEQ" cut t.json -o o.json --device $d
	grep -o '"name":"k[0-9]*"' o.json | tr '\n' ' '
	echo
	"$TRACEQ" cut t.json -o o.json --device $d --stream 3,4
	grep -o '"name":"k[0-9]*"' o.json
done
