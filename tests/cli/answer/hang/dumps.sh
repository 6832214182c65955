# shellcheck shell=bash
# Flight recorder dumps by hand, for the goldens here: sourced, then
#
#   dump RANK 'GROUP: RANKS' ... <<END       one dump, _dump_RANK, of those groups
#   RECORD GROUP OP SEQ STATE SIZES DTYPE [WHERE]
#   END
#
# OP may be send->N or recv<-N; SIZES is [8] or [4,2],[3].  Calls are a second apart.
dump() {
	local rank=$1 groups='' entries='' record group op seq state sizes dtype where name p2p g pgid
	shift
	for g in "$@"; do
		groups+="${groups:+,}\"${g%%:*}\":{\"name\":\"${g%%:*}\",\"desc\":\"${DESC-dp_}${g%%:*}\",\"ranks\":\"[${g#*: }]\"}"
	done
	while read -r record group op seq state sizes dtype where; do
		p2p=false pgid=$(($(printf %d "'$group") - 64))
		case $op in
		'send->'* | 'recv<-'*) p2p=true name="${op:0:4} 0${op:4}" ;;
		*) name=$op ;;
		esac
		entries+="${entries:+,}{\"record_id\":$record,\"pg_id\":$pgid,\"process_group\":[\"$group\",\"${DESC-dp_}$group\"],"
		entries+="\"profiling_name\":\"nccl:$name\",\"collective_seq_id\":$seq,\"p2p_seq_id\":$seq,\"is_p2p\":$p2p,"
		entries+="\"state\":\"$state\",\"time_created_ns\":$((1700000000 + record + ${LATER:-0}))000000000,"
		entries+="\"time_discovered_started_ns\":null,\"time_discovered_completed_ns\":null,"
		entries+="\"retired\":false,\"timeout_ms\":600000,\"thread_id\":\"1\",\"thread_name\":\"main\","
		entries+="\"input_sizes\":[$sizes],\"output_sizes\":[$sizes],\"input_dtypes\":[\"$dtype\"],\"output_dtypes\":[\"$dtype\"]"
		[ -z "$where" ] || entries+=",\"frames\":[{\"name\":\"all_reduce\",\"filename\":\"/opt/torch/distributed/c10d.py\",\"line\":9},{\"name\":\"${where%% *}\",\"filename\":\"${where#* }\",\"line\":$record},{\"name\":\"<module>\",\"filename\":\"run.py\",\"line\":1}]"
		entries+='}'
	done
	printf '{"version":"2.9","nccl_version":"2.27.3","pg_config":{%s},"pg_status":{%s},"entries":[%s]}\n' \
		"$groups" "${STATUS-}" "$entries" >"_dump_$rank"
}
