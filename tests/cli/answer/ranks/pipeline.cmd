# Two stages of two ranks; stages wait for each other.
"$FIXTURES" multi-rank --all-ranks job --world 4 --pp 2 --layers 2 --steps 5 --slow-rank none
"$TRACEQ" ranks job
