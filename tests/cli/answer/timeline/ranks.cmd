# Clocks 10 ms apart: all on one, the slow rank marked.
"$FIXTURES" multi-rank --world 4 --layers 4 --steps 3 --slow-rank 2 --slow-percent 60 --clock-spread 10ms --clock-drift 50 --all-ranks run
"$TRACEQ" timeline run
# As many lines of pages as ranks have slices.
"$TRACEQ" timeline run --per-rank --slices 2
"$TRACEQ" timeline run --slices 2 --json | grep -c '"clock_ns": [0-9]'
