"$FIXTURES" healthy --steps 2 >t.json && "$TRACEQ" top t.json --format torch --sort cuda_time_total -n 12
