# The tables of a recording are one trace; those of another prefix, and statistics, are not.
mkdir run
{
	echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"'
	echo '"KERNEL_DISPATCH","Agent 1",1,0,78,1,1,"void add<float, 4>(float*)",1,20000,50000,0,0,24,0,32,256,1,1,1024,1,1'
	echo '"KERNEL_DISPATCH","Agent 1",1,0,78,2,2,"void mul<float, 4>(float*)",2,60000,70000,0,0,24,0,32,256,1,1,1024,1,1'
} >run/77_kernel_trace.csv
{
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	echo '"HIP_RUNTIME_API_EXT","hipLaunchKernel",77,78,1,10000,14000'
	echo '"HIP_RUNTIME_API_EXT","hipLaunchKernel",77,78,2,15000,18000'
	echo '"HIP_RUNTIME_API_EXT","hipMemcpyAsync",77,78,3,19000,20000'
} >run/77_hip_api_trace.csv
{
	echo '"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	echo '"MEMORY_COPY","MEMORY_COPY_DEVICE_TO_HOST",0,"Agent 1","Agent 0",3,80000,90000'
} >run/77_memory_copy_trace.csv
{
	echo '"Node_Id","Logical_Node_Id","Agent_Type","Cu_Count","Name","Vendor_Name","Product_Name","Model_Name"'
	echo '0,0,"CPU",128,"EPYC","CPU","EPYC",""'
	echo '1,1,"GPU",304,"gfx942","AMD","AMD Instinct MI300X",""'
} >run/77_agent_info.csv
{
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
	echo '"void add<float, 4>(float*)",1,30000,30000.0,75.0,30000,30000,0.0'
	echo '"void mul<float, 4>(float*)",1,10000,10000.0,25.0,10000,10000,0.0'
} >run/77_kernel_stats.csv
"$TRACEQ" info run | sed -n '/^Files/,/^$/p'
"$TRACEQ" top run
"$TRACEQ" launches run
echo "--- one of them"
"$TRACEQ" top run/77_kernel_trace.csv 2>&1
echo "--- statistics"
"$TRACEQ" top run/77_kernel_stats.csv 2>&1
echo "--- beside the whole in another format"
echo '{"rocprofiler-sdk-tool":[{"strings":{"buffer_records":[]},"kernel_symbols":[{"kernel_id":1,"formatted_kernel_name":"f"}],"buffer_records":{"kernel_dispatch":[{"start_timestamp":1,"end_timestamp":3,"dispatch_info":{"kernel_id":1}}]}}]}' >run/77_results.json
"$TRACEQ" info run | sed -n '/^Files/,/^$/p'
