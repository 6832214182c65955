# Without a trace: collectives as NCCL's Inspector wrote them, a file a process. Rank 1 of 2 spends 400 us less in the same calls
# of `a`: it comes last. Of `b` one rank is missing, and of a send nobody is asked. `ranks` says where that is said.
mkdir inspector
for rank in 0 1; do
	for sn in 0 1 2; do
		us=$((1000 - 400 * rank + sn))
		echo "{\"header\": {\"id\": \"0xa\", \"comm_name\": \"DP\", \"rank\": $rank, \"n_ranks\": 2}, \"metadata\": {\"pid\": $rank}, \"coll_perf\": {\"coll\": \"AllReduce\", \"coll_sn\": $sn, \"coll_msg_size_bytes\": 1000000, \"coll_exec_time_us\": $us, \"coll_timing_source\": \"kernel_gpu\", \"coll_algobw_gbs\": 1.0, \"coll_busbw_gbs\": 1.5}}"
	done >"inspector/node1-pid$rank.log"
done
cat >>inspector/node1-pid0.log <<'E2'
{"header": {"id": "0xb", "rank": 0, "n_ranks": 2}, "metadata": {"pid": 0}, "coll_perf": {"coll": "AllGather", "coll_sn": 0, "coll_msg_size_bytes": 4096, "coll_exec_time_us": 20, "coll_algobw_gbs": 0.2, "coll_busbw_gbs": 0.1}}
{"header": {"id": "0xb", "rank": 0, "n_ranks": 2}, "metadata": {"pid": 0}, "p2p_perf": {"p2p": "Send", "p2p_sn": 0, "p2p_msg_size_bytes": 512, "p2p_peer": 1, "p2p_exec_time_us": 5, "p2p_algobw_gbs": 0.1, "p2p_busbw_gbs": 0.1}}
E2
"$TRACEQ" comms inspector --wide
"$TRACEQ" comms inspector -n 1 --csv 2>/dev/null || "$TRACEQ" comms inspector -n 1 --format csv
"$TRACEQ" ranks inspector
[ $? = 2 ]
