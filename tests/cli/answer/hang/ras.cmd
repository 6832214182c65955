# Without dumps: what NCCL's RAS answered. A rank is dead, another has called two fewer; then none is in trouble, and an error
# code of a rank is shown.
"$FIXTURES" artifact nccl-ras >ras.json
"$TRACEQ" hang ras.json 2>/dev/null
cat >well.json <<'E2'
{"nccl_version": "2.29.1", "communicators_count": 1, "communicators": [{"hash": "0xc", "size": 2, "ranks_count": 2,
"missing_ranks_count": 0, "ranks": [{"rank": 0, "host": "a", "pid": 1, "status": {"init_state": 0, "async_error": 6,
"abort_flag": true}, "collective_counts": {"AllReduce": 4}}, {"rank": 1, "host": "b", "pid": 2, "status": {"init_state": 0},
"collective_counts": {"AllReduce": 4}}], "missing_ranks": []}]}
E2
"$TRACEQ" hang well.json
