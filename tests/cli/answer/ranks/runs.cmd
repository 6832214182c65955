# Two runs in a folder: one row each, and the tables of the one whose ranks wait most.
mkdir runs
"$FIXTURES" multi-rank --all-ranks runs/r1 --world 2 --layers 1 --steps 5 --slow-rank none
"$FIXTURES" multi-rank --all-ranks runs/r2 --world 2 --layers 1 --steps 5
"$TRACEQ" ranks runs
