"""The same records as rocprofv3 writes in its JSON, as its CSVs."""
KERNELS = ("Kind", "Agent_Id", "Queue_Id", "Stream_Id", "Thread_Id", "Dispatch_Id", "Kernel_Id",
           "Kernel_Name", "Correlation_Id", "Start_Timestamp", "End_Timestamp", "LDS_Block_Size",
           "Scratch_Size", "VGPR_Count", "Accum_VGPR_Count", "SGPR_Count", "Workgroup_Size_X",
           "Workgroup_Size_Y", "Workgroup_Size_Z", "Grid_Size_X", "Grid_Size_Y", "Grid_Size_Z")
CALLS = ("Domain", "Function", "Process_Id", "Thread_Id", "Correlation_Id", "Start_Timestamp",
         "End_Timestamp")
COPIES = ("Kind", "Direction", "Stream_Id", "Source_Agent_Id", "Destination_Agent_Id",
          "Correlation_Id", "Start_Timestamp", "End_Timestamp")
AGENTS = ("Node_Id", "Logical_Node_Id", "Agent_Type", "Cu_Count", "Name", "Vendor_Name",
          "Product_Name", "Model_Name")


def put(path, heading, rows):
    def cell(v):
        return str(v) if isinstance(v, int) else '"' + v.replace('"', '""') + '"'
    with open(path, "w", encoding="utf-8") as f:
        for row in (heading, *rows):
            f.write(",".join(map(cell, row)) + "\n")


def write(prefix, document):
    """PREFIX_agent_info.csv and so on; returns the paths."""
    process = document["rocprofiler-sdk-tool"][0]
    records, kinds = process["buffer_records"], process["strings"]["buffer_records"]
    symbols = {k["kernel_id"]: k for k in process["kernel_symbols"]}
    messages = {m["key"]: m["value"] for m in process["strings"]["marker_api"]}
    agents = {a["id"]["handle"]: f"Agent {i}" for i, a in enumerate(process["agents"])}

    def kernel(d):
        info = d["dispatch_info"]
        k = symbols[info["kernel_id"]]
        return ("KERNEL_DISPATCH", agents[info["agent_id"]["handle"]], info["queue_id"]["handle"],
                d["stream_id"]["handle"], d["thread_id"], info["dispatch_id"], info["kernel_id"],
                k["formatted_kernel_name"], d["correlation_id"]["internal"], d["start_timestamp"],
                d["end_timestamp"], info["group_segment_size"], 0, k["arch_vgpr_count"],
                k["accum_vgpr_count"], 32, *(info[n][a] for n in ("workgroup_size", "grid_size")
                                             for a in "xyz"))

    def call(c):
        kind = kinds[c["kind"]]
        name = messages.get(c["correlation_id"]["internal"]) if kind["kind"][0] == "M" else None
        return (kind["kind"], name or kind["operations"][c["operation"]], process["metadata"]["pid"],
                c["thread_id"], c["correlation_id"]["internal"], c["start_timestamp"],
                c["end_timestamp"])

    def copy(c):
        return ("MEMORY_COPY", kinds[c["kind"]]["operations"][c["operation"]],
                c["stream_id"]["handle"], agents[c["src_agent_id"]["handle"]],
                agents[c["dst_agent_id"]["handle"]], c["correlation_id"]["internal"],
                c["start_timestamp"], c["end_timestamp"])

    tables = {
        "agent_info": (AGENTS, [(i, i, "CPU" if a["type"] == 1 else "GPU", a["cu_count"], "gfx942", "AMD",
                                 a["product_name"], "") for i, a in enumerate(process["agents"])]),
        "kernel_trace": (KERNELS, map(kernel, records["kernel_dispatch"])),
        "hip_api_trace": (CALLS, map(call, records["hip_api"])),
        "marker_api_trace": (CALLS, map(call, records["marker_api"])),
        "memory_copy_trace": (COPIES, map(copy, records["memory_copy"])),
    }
    for name, (heading, rows) in tables.items():
        put(f"{prefix}_{name}.csv", heading, rows)
    return {name: f"{prefix}_{name}.csv" for name in tables}
