# ranks of a job: owners, names and scenarios over all of them
"$FIXTURES" multi-rank --steps 3 --world 3 --all-ranks job >/dev/null && "$TRACEQ" critical job -n 3
