# What is no figure never passes as one: a run that failed, times and peaks below zero.
run() { "$TRACEQ" gate "$@" -q; echo "exit $?"; }
canary() { # status, step time, MiB, tokens/s
	cat <<M
{"run_id": "r", "perf": {"step_time": {"count": 90, "mean": $2}, "approx_tokens_per_sec": $4, "max_mem_mb": $3},
 "stability": {"nan_steps": 0, "inf_steps": 0, "final_loss": 0.5, "loss_diverged": false}, "profiler": null, "status": "$1"}
M
}
canary completed 0.5 4000 1000 >base
for status in completed failed timeout; do
	canary $status 0.5 4000 1000 >$status
	run base $status
done
canary completed -1 -1 -1 >unknown
run base unknown
# Nothing to compare: why, in words.
"$FIXTURES" artifact speedscope >stacks
"$TRACEQ" gate stacks stacks
echo "exit $?"
