# A rank whose kernels take 5 % longer; clocks 10 ms apart that drift.
"$FIXTURES" multi-rank --all-ranks job --world 4 --layers 1 --steps 6 --slow-percent 5 --noise 1 \
	--clock-spread 10ms --clock-drift 50
"$TRACEQ" ranks job
