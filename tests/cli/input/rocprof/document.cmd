# rocprofv3's JSON: what each command says of a process with a call, a kernel, a copy and a range.
cat >results.json <<'TEXT'
{"rocprofiler-sdk-tool":[{"metadata":{"node":{"hostname":"box"},"pid":77,"command":["./train","--fast"]},
"agents":[{"id":{"handle":10},"type":1,"logical_node_type_id":0,"name":"EPYC"},
{"id":{"handle":11},"type":2,"logical_node_type_id":0,"name":"gfx942","product_name":"AMD Instinct MI300X",
"cu_count":304,"wave_front_size":64,"max_waves_per_cu":32,"lds_size_in_kb":64,"gfx_target_version":90402,
"mem_banks":[{"size_in_bytes":206158430208}]}],
"strings":{"buffer_records":[{"kind":"HIP_RUNTIME_API","operations":["hipLaunchKernel","hipMemcpyAsync","hipStreamSynchronize"]},
{"kind":"MARKER_CORE_RANGE_API","operations":["roctxThreadRangeA"]},
{"kind":"MEMORY_COPY","operations":["MEMORY_COPY_NONE","MEMORY_COPY_HOST_TO_DEVICE"]}],
"marker_api":[{"key":7,"value":"step"},{"key":8,"value":"step"}]},
"kernel_symbols":[{"kernel_id":9,"formatted_kernel_name":"void add<float, 4>(float*)","arch_vgpr_count":12,"accum_vgpr_count":0}],
"buffer_records":{"kernel_dispatch":[{"thread_id":78,"correlation_id":{"internal":5},"start_timestamp":20000,"end_timestamp":50000,
"dispatch_info":{"agent_id":{"handle":11},"queue_id":{"handle":2},"kernel_id":9,"dispatch_id":1,"group_segment_size":512,
"workgroup_size":{"x":256,"y":1,"z":1},"grid_size":{"x":1024,"y":1,"z":1}},"stream_id":{"handle":3}},
{"thread_id":78,"correlation_id":{"internal":12},"start_timestamp":120000,"end_timestamp":150000,
"dispatch_info":{"agent_id":{"handle":11},"queue_id":{"handle":2},"kernel_id":9,"dispatch_id":2,"group_segment_size":512,
"workgroup_size":{"x":256,"y":1,"z":1},"grid_size":{"x":1024,"y":1,"z":1}},"stream_id":{"handle":3}}],
"hip_api":[{"kind":0,"operation":0,"thread_id":78,"correlation_id":{"internal":5},"start_timestamp":10000,"end_timestamp":14000},
{"kind":0,"operation":1,"thread_id":78,"correlation_id":{"internal":6},"start_timestamp":15000,"end_timestamp":17000},
{"kind":0,"operation":2,"thread_id":78,"correlation_id":{"internal":9},"start_timestamp":18000,"end_timestamp":95000},
{"kind":0,"operation":0,"thread_id":78,"correlation_id":{"internal":12},"start_timestamp":110000,"end_timestamp":114000}],
"marker_api":[{"kind":1,"operation":0,"thread_id":78,"correlation_id":{"internal":7},"start_timestamp":9000,"end_timestamp":99000},
{"kind":1,"operation":0,"thread_id":78,"correlation_id":{"internal":8},"start_timestamp":100000,"end_timestamp":190000}],
"memory_copy":[{"kind":2,"operation":1,"correlation_id":{"internal":6},"start_timestamp":60000,"end_timestamp":90000,
"dst_agent_id":{"handle":11},"src_agent_id":{"handle":10},"bytes":1048576,"stream_id":{"handle":3}}],
"pc_sample_host_trap":[{"a":1}]}}]}
TEXT
"$TRACEQ" info results.json
for command in top steps kernels launches copies idle; do
	echo "--- $command"
	"$TRACEQ" "$command" results.json
done
echo "--- cut"
head -c 2600 results.json | "$TRACEQ" top - 2>&1
head -c 1000 results.json | "$TRACEQ" top - 2>&1
