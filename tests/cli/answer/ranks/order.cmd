# What costs most is the verdict: bubbles that the schedule has anyway, or the slow rank that makes them longer.
for slow in 30 300; do
	"$FIXTURES" multi-rank --tp 2 --pp 4 --world 8 --steps 4 --layers 4 --slow-percent $slow --all-ranks job$slow
	"$TRACEQ" ranks job$slow --table findings --format tsv | cut -f 1-8
	"$TRACEQ" summary job$slow -q | head -4
done
