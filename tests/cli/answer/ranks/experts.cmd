# One expert of each group gets more tokens.
"$FIXTURES" multi-rank --all-ranks job --world 4 --ep 2 --layers 1 --steps 5 --slow-rank none \
	--expert-skew 60
"$TRACEQ" ranks job --wide
"$TRACEQ" ranks job --format csv --table experts
