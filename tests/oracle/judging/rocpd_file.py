"""The same records as rocprofv3 writes in its JSON, as a rocpd database of schema version 3 or 4."""
import json
import sqlite3

# Columns as rocpd_tables.sql has them; those of no use here are left out but for what is NOT NULL.
COMMON = {
    "rocpd_metadata": "tag, value",
    "rocpd_string": "guid, string",
    "rocpd_info_node": "guid, hash, machine_id, hostname",
    "rocpd_info_process": "guid, nid, ppid, pid, command, extdata",
    "rocpd_info_thread": "guid, nid, ppid, pid, tid, name",
    "rocpd_info_agent": "guid, nid, pid, type, absolute_index, logical_index, type_index, name, "
                        "product_name, extdata",
    "rocpd_info_kernel_symbol": "guid, nid, pid, code_object_id, kernel_name, display_name, "
                                "group_segment_size, sgpr_count, arch_vgpr_count, accum_vgpr_count",
    "rocpd_arg": "guid, event_id, position, type, name, value",
    "rocpd_pmc_event": "guid, event_id, pmc_id, value",
}
SIZES = ("private_segment_size, group_segment_size, workgroup_size_x, workgroup_size_y, "
         "workgroup_size_z, grid_size_x, grid_size_y, grid_size_z")
V3 = {
    "rocpd_track": "guid, nid, pid, tid, name_id",
    "rocpd_event": "guid, category_id, stack_id, parent_stack_id, correlation_id, call_stack, extdata",
    "rocpd_region": 'guid, nid, pid, tid, start, "end", name_id, event_id, extdata',
    "rocpd_sample": "guid, track_id, timestamp, event_id, extdata",
    "rocpd_kernel_dispatch": 'guid, nid, pid, tid, agent_id, kernel_id, dispatch_id, queue_id, '
                             'stream_id, start, "end", ' + SIZES + ", region_name_id, event_id",
    "rocpd_memory_copy": 'guid, nid, pid, tid, start, "end", name_id, dst_agent_id, dst_address, '
                         "src_agent_id, src_address, size, queue_id, stream_id, event_id",
    "rocpd_memory_allocate": 'guid, nid, pid, tid, agent_id, type, level, start, "end", address, size, '
                             "queue_id, stream_id, event_id",
}
V4 = {
    "rocpd_info_category": "guid, name",
    "rocpd_track": "guid, nid, ppid, pid, tid, agent_id, queue_id, stream_id, name_id",
    "rocpd_event": "guid, category_id, stack_id, parent_stack_id, correlation_id, extdata",
    "rocpd_region": 'guid, track_id, name_id, start, "end", event_id, extdata',
    "rocpd_sample": "guid, track_id, name_id, timestamp, event_id, extdata",
    "rocpd_kernel_dispatch": 'guid, track_id, kernel_id, dispatch_id, start, "end", ' + SIZES +
                             ", region_name_id, event_id",
    "rocpd_memory_copy": 'guid, track_id, start, "end", name_id, dst_agent_id, dst_address, '
                         "src_agent_id, src_address, size, event_id",
    "rocpd_memory_allocate": 'guid, track_id, type, level, start, "end", name_id, address, size, event_id',
}


class Rocpd:
    """One process in a file, which may hold others."""

    def __init__(self, db, version, guid, node=1):
        self.db, self.version, self.guid, self.node = db, version, guid, node
        self.suffix = "_" + guid.replace("-", "_")
        self.known, self.tables = {}, {**COMMON, **(V4 if version >= 4 else V3)}
        for table, columns in self.tables.items():
            db.execute(f'CREATE TABLE "{table}{self.suffix}" (id INTEGER PRIMARY KEY AUTOINCREMENT, '
                       f"{columns})")
            db.execute(f'CREATE VIEW IF NOT EXISTS "{table}" AS SELECT * FROM "{table}{self.suffix}"')
        self.put("rocpd_metadata", tag="schema_version", value=str(version))

    def put(self, table, **values):
        names = {n.strip().strip('"') for n in self.tables[table].split(",")} | {"id"}
        if "guid" in names:
            values["guid"] = self.guid
        values = {k: v for k, v in values.items() if k in names}
        columns = ", ".join(f'"{k}"' for k in values)
        marks = ", ".join("?" * len(values))
        return self.db.execute(f'INSERT INTO "{table}{self.suffix}" ({columns}) VALUES ({marks})',
                               tuple(values.values())).lastrowid

    def once(self, table, **values):
        key = table, tuple(values.items())
        if key not in self.known:
            self.known[key] = self.put(table, **values)
        return self.known[key]

    def string(self, text):
        return self.once("rocpd_string", string=text)

    def event(self, kind, record, message=None):
        category = (self.once("rocpd_info_category", name=kind) if self.version >= 4
                    else self.string(kind))
        internal = record["correlation_id"]["internal"]
        return self.put("rocpd_event", category_id=category, stack_id=internal,
                        parent_stack_id=internal, correlation_id=0,
                        extdata=json.dumps({"message": message}) if message else "{}")

    def owner(self, **of):
        """Columns that say whose a record is."""
        of = {"nid": self.node, "pid": self.pid, **of}
        return {"track_id": self.once("rocpd_track", **of)} if self.version >= 4 else of

    def write(self, process):
        self.pid = process["metadata"]["pid"]
        self.put("rocpd_info_node", id=self.node, hash=77 + self.node, machine_id="m", hostname="box")
        self.put("rocpd_info_process", id=self.pid, nid=self.node, pid=self.pid,
                 command="/usr/bin/train --fast")
        handles, self.process = {}, process
        for i, agent in enumerate(process["agents"]):
            handles[agent["id"]["handle"]] = i
            self.put("rocpd_info_agent", id=i, nid=self.node, pid=self.pid, absolute_index=i,
                     type={1: "CPU", 2: "GPU"}[agent["type"]], extdata=json.dumps(agent),
                     type_index=agent["logical_node_type_id"], name="gfx",
                     product_name=agent["product_name"])
        for k in process["kernel_symbols"]:
            if k["kernel_id"]:
                self.put("rocpd_info_kernel_symbol", id=k["kernel_id"], nid=self.node, pid=self.pid,
                         code_object_id=1, display_name=k["formatted_kernel_name"],
                         arch_vgpr_count=k["arch_vgpr_count"], accum_vgpr_count=k["accum_vgpr_count"])
        self.records(process["buffer_records"], handles)

    def thread(self, tid):
        self.once("rocpd_info_thread", id=tid, nid=self.node, pid=self.pid, tid=tid)
        return tid

    def records(self, records, handles):
        for d in records["kernel_dispatch"]:
            info = d["dispatch_info"]
            sizes = {f"{n}_{k}": info[n][k] for n in ("workgroup_size", "grid_size") for k in "xyz"}
            self.put("rocpd_kernel_dispatch", **self.owner(
                tid=self.thread(d["thread_id"]), agent_id=handles[info["agent_id"]["handle"]],
                queue_id=info["queue_id"]["handle"], stream_id=d["stream_id"]["handle"]),
                kernel_id=info["kernel_id"], dispatch_id=info["dispatch_id"], **sizes,
                start=d["start_timestamp"], end=d["end_timestamp"],
                group_segment_size=info["group_segment_size"], event_id=self.event("KERNEL_DISPATCH", d))
        for c in records["memory_copy"]:
            kind, name = self.words(c)
            self.put("rocpd_memory_copy", **self.owner(
                tid=self.thread(c["thread_id"]), stream_id=c["stream_id"]["handle"]),
                start=c["start_timestamp"], end=c["end_timestamp"], name_id=self.string(name),
                dst_agent_id=handles[c["dst_agent_id"]["handle"]], size=c["bytes"],
                src_agent_id=handles[c["src_agent_id"]["handle"]], event_id=self.event(kind, c))
        messages = {m["key"]: m["value"] for m in self.process["strings"]["marker_api"]}
        for c in records["hip_api"] + records["marker_api"]:
            kind, name = self.words(c)
            message = messages.get(c["correlation_id"]["internal"]) if kind[0] == "M" else None
            self.put("rocpd_region", **self.owner(tid=self.thread(c["thread_id"])),
                     start=c["start_timestamp"], end=c["end_timestamp"], name_id=self.string(name),
                     event_id=self.event(kind, c, message), extdata="{}")

    def words(self, record):
        kind = self.process["strings"]["buffer_records"][record["kind"]]
        return kind["kind"], kind["operations"][record["operation"]]


def write(path, documents, version):
    """All processes of the documents, each on a node of its own."""
    db = sqlite3.connect(path)
    for i, document in enumerate(documents):
        guid = f"0198aaaa-bbbb-7ccc-8ddd-{i:012}"
        Rocpd(db, version, guid, i + 1).write(document["rocprofiler-sdk-tool"][0])
    db.commit()
    db.close()
