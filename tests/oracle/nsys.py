#!/usr/bin/env python3
"""Exports of Nsight Systems: what traceq says of them against SQL and Python over the same tables.

Real exports from $SHARED/samples/nsys (skipped with a word where that is absent) and drawn ones: several
processes that count correlation ids, streams and devices from the same numbers, columns that older
schemas lack, ranges that nest, calls without work, work without calls.  CHECK_ALL=1: more drawn ones."""
import collections
import gzip
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
SAMPLES = os.path.join(os.environ.get("SHARED", "../shared"), "samples", "nsys")
ALL = os.environ.get("CHECK_ALL")

passed, failures, skipped = 0, [], 0


def expect(what, got, want):
    global passed
    passed += got == want
    if got != want:
        failures.append(f"{what}: {str(got)[:300]}, not {str(want)[:300]}")


def run(argv, document=None):
    return subprocess.run([TRACEQ, *argv], input=document, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def tables(argv):
    done = run([*argv, "--json", "-q"])
    if done.returncode not in (0, 1):
        failures.append(f"{argv}: exit {done.returncode}: {done.stderr.decode()[:300]}")
        return collections.defaultdict(list)
    return collections.defaultdict(list, {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]})


def sums(pairs):
    """name -> (how many, sum)"""
    found = collections.defaultdict(lambda: [0, 0])
    for name, dur in pairs:
        found[name][0] += 1
        found[name][1] += dur
    return {k: tuple(v) for k, v in found.items()}


class Export:
    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.path = path
        self.has = {r[0] for r in self.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        self.text = dict(self.db.execute("SELECT id, value FROM StringIds"))

    def rows(self, table, *columns):
        if table not in self.has:
            return []
        have = {r[1] for r in self.db.execute(f"PRAGMA table_info({table})")}
        asked = ", ".join(f'"{c}"' if c in have else "NULL" for c in columns)
        return self.db.execute(f"SELECT {asked} FROM {table}").fetchall()

    def calls(self):
        """(pid, tid, start, end, correlation, name)"""
        for start, end, tid, correlation, name in self.rows(
                "CUPTI_ACTIVITY_KIND_RUNTIME", "start", "end", "globalTid", "correlationId", "nameId"):
            yield (tid >> 24 & 0xffffff, tid & 0xffffff, start, end, correlation,
                   re.sub(r"_v\d{4,}$", "", self.text[name]))

    def work(self):
        """(table, pid, device, stream, start, end, correlation) of all device work"""
        for kind in ("KERNEL", "MEMCPY", "MEMSET", "GRAPH_TRACE"):
            for row in self.rows("CUPTI_ACTIVITY_KIND_" + kind, "globalPid", "deviceId", "streamId", "start", "end",
                                 "correlationId"):
                yield (kind, row[0] >> 24 & 0xffffff, *row[1:])

    def ranges(self):
        """(pid, tid, start, end, text) of push and pop"""
        for start, end, kind, text, number, tid in self.rows(
                "NVTX_EVENTS", "start", "end", "eventType", "text", "textId", "globalTid"):
            if kind == 59 and end is not None:
                yield tid >> 24 & 0xffffff, tid & 0xffffff, start, end, text or self.text.get(number, "")


TORCH = re.compile(r"(.*?)(?:, seq = (\d+))?(?:, op_id = (\d+))?(?:, sizes = (\[[\[\], 0-9]*\]))?"
                   r"(?:, input_op_ids = \[.*\])?", re.S)
NAMESPACES = ("aten::", "prims::", "prim::", "autograd::", "c10d::", "_c10d_functional::", "c10d_functional::",
              "torchvision::", "quantized::", "record_param_comms")


def torch_name(text):
    """The name, and whether it is an operator."""
    name, seq, op_id, sizes = TORCH.fullmatch(text).groups()
    return name, bool(seq or sizes or (op_id and re.fullmatch(r"(?!FSDP::)[^ ]*::[^ ]*", name)) or name.startswith(NAMESPACES))


def union(spans):
    total, reach = 0, None
    for start, end in sorted(spans):
        if reach is None or start > reach:
            total, reach = total + end - start, end
        elif end > reach:
            total, reach = total + end - reach, end
    return total


def check_sums(name, x):
    top = tables(["top", "-n", "0", x.path])
    got = {r["name"]: (r["calls"], r["device_sum_ns"]) for r in top["device"] if r["kind"] == "kernel"}
    want = sums((x.text[n], e - s) for s, e, n in x.rows("CUPTI_ACTIVITY_KIND_KERNEL", "start", "end", "demangledName"))
    graphs = sums((f"CUDA graph {g}", e - s) for s, e, g in x.rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "start", "end", "graphExecId"))
    expect(f"{name} kernels", got, {**want, **graphs})
    by_device = collections.defaultdict(list)
    for _, _, device, _, start, end, _ in x.work():
        by_device[device].append((start, end))
    expect(f"{name} devices", {r["device"]: (r["busy_ns"], r["sum_ns"], r["activities"]) for r in top["devices"]},
           {d: (union(v), sum(e - s for s, e in v), len(v)) for d, v in by_device.items()})
    got = {r["name"]: (r["calls"], r["cpu_total_ns"]) for r in top["ops"] if r["kind"] == "runtime"}
    expect(f"{name} calls", got, sums((c[5], c[3] - c[2]) for c in x.calls()))
    copies = tables(["copies", x.path])["copies"]
    words = {1: "HtoD", 2: "DtoH", 8: "DtoD", 10: "PtoP"}
    got = collections.Counter()
    for r in copies:
        if r["kind"] == "memcpy":
            got[r["direction"], r["device"]] += r["bytes"]
    want = collections.Counter()
    for kind, device, size in x.rows("CUPTI_ACTIVITY_KIND_MEMCPY", "copyKind", "deviceId", "bytes"):
        want[words[kind], device] += size
    expect(f"{name} bytes of copies", got, want)


def links(x):
    """Work to the call of its own process and id: (work, call or None)."""
    call = {}
    for pid, tid, start, end, correlation, what in x.calls():
        if correlation is not None and ((pid, correlation) not in call or start < call[pid, correlation][0]):
            call[pid, correlation] = (start, end, what)
    return [(w, call.get((w[1], w[6]))) for w in x.work()]


def check_launches(name, x):
    joined = links(x)
    fan = collections.Counter((w[1], w[6]) for w, c in joined if c)
    launches = tables(["launches", "-n", "0", x.path])
    total = launches["totals"][0]
    expect(f"{name} linked", total["linked"] + total["graph"], sum(1 for _, c in joined if c))
    expect(f"{name} unlinked", total["unlinked"], sum(1 for _, c in joined if not c))
    first = {}
    for w, c in joined:
        if c:
            first.setdefault((w[1], w[6]), []).append((w[4], w[0], c))
    kinds = {"KERNEL": "kernel", "GRAPH_TRACE": "kernel", "MEMCPY": "memcpy", "MEMSET": "memset"}
    starts, ends = collections.Counter(), collections.Counter()
    for key, works in first.items():
        for start, kind, c in works:
            if fan[key] == 1:
                starts[kinds[kind]] += start - c[0]
                ends[kinds[kind]] += start - c[1]
    if max(fan.values(), default=0) < 2:
        got = {(r["of"], r["delay"]): r["sum_ns"] for r in launches["delays"] if r["of"] != "all"}
        want = {(k, "start"): v for k, v in starts.items()} | {(k, "end"): v for k, v in ends.items()}
        expect(f"{name} delays", {k: v for k, v in got.items() if k[1] in ("start", "end")}, want)


def check_lanes(name, x):
    got = {(r["lane"], r["pid"] if r["lane"] == "thread" else r["device"], r["tid"] if r["lane"] == "thread" else str(r["stream"])):
           r["events"] for r in tables(["info", "-n", "0", x.path])["lanes"] if r["events"]}
    want = collections.Counter()
    for pid, tid, *_ in list(x.calls()) + list(x.ranges()):
        want["thread", str(pid), str(tid)] += 1
    for _, _, device, stream, *_ in x.work():
        want["stream", device, str(stream)] += 1
    place = {(p >> 24 & 0xffffff, c): d for p, c, d in x.rows("CUPTI_ACTIVITY_KIND_KERNEL", "globalPid", "contextId", "deviceId")}
    for pid, context, device, stream, kind in x.rows("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "globalPid", "contextId", "deviceId",
                                                     "streamId", "syncType"):
        stream = -1 if stream == 0xffffffff or kind == 4 else stream
        want["stream", place.get((pid >> 24 & 0xffffff, context), device), str(stream)] += 1
    for table in ("CUPTI_ACTIVITY_KIND_OVERHEAD", "PROFILER_OVERHEAD"):
        for (tid,) in x.rows(table, "globalTid"):
            want["thread", str(tid >> 24 & 0xffffff), str(tid & 0xffffff)] += 1
    expect(f"{name} lanes", got, dict(want))


def check_tree(name, x):
    """Self time: a range or call less those right below it, on its thread."""
    rows = collections.defaultdict(list)
    for pid, tid, start, end, _, what in x.calls():
        rows[pid, tid].append((start, end, (what, "runtime")))
    for pid, tid, start, end, text in x.ranges():
        what, is_op = torch_name(text)
        rows[pid, tid].append((start, end, (what, "cpu_op" if is_op else "user_annotation")))
    self_ns, calls = collections.Counter(), collections.Counter()
    for lane in rows.values():
        stack = []
        for start, end, what in sorted(lane, key=lambda r: (r[0], -r[1])):
            while stack and (start >= stack[-1][0] or end > stack[-1][0]):
                stack.pop()
            calls[what] += 1
            self_ns[what] += end - start
            if stack:
                self_ns[stack[-1][1]] -= end - start
            stack.append((end, what))
    ops = tables(["top", "-n", "0", x.path])["ops"]
    expect(f"{name} calls of ops", {(r["name"], r["kind"]): r["calls"] for r in ops}, dict(calls))
    expect(f"{name} self time", {(r["name"], r["kind"]): r["self_cpu_ns"] for r in ops}, dict(self_ns))


def check_ways(name, path, folder):
    """Through a pipe and compressed it is the same."""
    with open(path, "rb") as f:
        data = f.read()
    want = json.loads(run(["top", path, "--json", "-q"]).stdout)["tables"]
    expect(f"{name} pipe", json.loads(run(["top", "-", "--json", "-q"], data).stdout)["tables"], want)
    packed = os.path.join(folder, "packed.gz")
    with open(packed, "wb") as f:
        f.write(gzip.compress(data, 1))
    expect(f"{name} gzip", json.loads(run(["top", packed, "--json", "-q"]).stdout)["tables"], want)


def check_all(name, path):
    x = Export(path)
    for check in (check_sums, check_launches, check_lanes, check_tree):
        check(name, x)


def check_samples(folder):
    global skipped
    names = ("h100_2gpu_1s", "mfu_2gpu_before", "mfu_2gpu_after")
    paths = {n: os.path.join(SAMPLES, n + ".sqlite") for n in names}
    if not all(os.path.exists(p) for p in paths.values()):
        skipped += 1
        print("skip: no samples/nsys in $SHARED")
        return
    for name, path in paths.items():
        check_all(name, path)
    check_ways("h100_2gpu_1s", paths["h100_2gpu_1s"], folder)
    # worked out by hand with sqlite3
    info = {r["cat"]: r["events"] for r in tables(["info", paths["h100_2gpu_1s"]])["categories"]}
    expect("h100 categories", [info.get(k) for k in ("kernel", "gpu_memcpy", "cuda_runtime", "cuda_sync")], [3442, 904, 5796, 244])
    expect("h100 ranges", info["cpu_op"] + info["user_annotation"], 16782)
    kernels = tables(["kernels", "-n", "0", paths["h100_2gpu_1s"]])["kernels"]
    expect("h100 sgemm", [(r["calls"], r["device_sum_ns"]) for r in kernels if "tilesize64x256x8" in r["name"]][:1], [(248, 31121662)])
    diff = tables(["diff", "-n", "0", paths["mfu_2gpu_before"], paths["mfu_2gpu_after"]])["kernels"]
    expect("diff kernel time", [sum(r[k] or 0 for r in diff if r["kind"] == "kernel") for k in ("base_all_ns", "new_all_ns")],
           [535200650, 488835406])
    # Parts that take each other back are no 4120 % of the difference.
    why = tables(["diff", paths["mfu_2gpu_before"], paths["mfu_2gpu_after"]])["why"]
    expect("diff, parts that cancel", why[1]["text"].split(":")[0], "compute -27.36 ms per step, against GPU idle +22.83 ms")


COLUMNS = {"KERNEL": "start,end,deviceId,contextId,streamId,correlationId,globalPid,demangledName,shortName,gridX,gridY,gridZ,"
                     "blockX,blockY,blockZ,registersPerThread,staticSharedMemory,dynamicSharedMemory,graphNodeId",
           "MEMCPY": "start,end,deviceId,contextId,streamId,correlationId,globalPid,bytes,copyKind,srcKind,dstKind",
           "MEMSET": "start,end,deviceId,contextId,streamId,correlationId,globalPid,bytes,value",
           "GRAPH_TRACE": "start,end,deviceId,contextId,streamId,correlationId,globalPid,graphId,graphExecId",
           "SYNCHRONIZATION": "start,end,deviceId,contextId,streamId,correlationId,globalPid,syncType,eventId,eventSyncId"}
VALUES = {"shortName": 1, "gridX": 4, "gridY": 2, "gridZ": 1, "blockX": 128, "blockY": 1, "blockZ": 1, "registersPerThread": 32,
          "staticSharedMemory": 0, "dynamicSharedMemory": 512, "contextId": 1, "value": 0, "graphId": 3, "eventId": 5,
          "eventSyncId": 0, "srcKind": 1, "dstKind": 2}


def draw(path, seed):
    """A program of a few processes, drawn: ops that nest, and in them calls, and work behind those."""
    rng = random.Random(seed)
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT NOT NULL)")
    db.execute("CREATE TABLE ANALYSIS_DETAILS(globalVid, duration, startTime, stopTime)")
    names = ["a", "b_kernel<int>(int*)", "ncclDevKernel_AllReduce", "k with \"quotes\"", "\u00e4"]
    calls = ["cudaLaunchKernel_v7000", "cudaMemcpyAsync_v3020", "cudaMemsetAsync", "cuLaunchKernelEx",
             "cudaGraphLaunch_v10000", "cudaStreamSynchronize_v3020"]
    db.executemany("INSERT INTO StringIds VALUES(?, ?)", enumerate(names + calls, 1))
    old = rng.random() < 0.5
    columns = {k: [c for c in v.split(",") if not (old and c in ("graphNodeId", "contextId", "srcKind"))] for k, v in COLUMNS.items()}
    for kind, columns_of in columns.items():
        db.execute(f"CREATE TABLE CUPTI_ACTIVITY_KIND_{kind}({', '.join(columns_of)})")
    db.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start, end, globalTid, correlationId, nameId)")
    db.execute("CREATE TABLE NVTX_EVENTS(start, end, eventType, text, globalTid)")

    def put(kind, **values):
        values = {**VALUES, **values}
        row = [values.get(c) for c in columns[kind]]
        db.execute(f"INSERT INTO CUPTI_ACTIVITY_KIND_{kind} VALUES({', '.join('?' * len(row))})", row)

    for rank in range(rng.choice([1, 2, 3])):
        pid = 1 << 48 | (100 + rank) << 24
        tid, at, free, correlation = pid | 100 + rank, 10**9 + rank * 13, {7: 0, 9: 0}, 0
        for op in range(rng.randrange(20, 60)):
            start = at
            inner = at + rng.randrange(1, 50)
            end = inner
            for _ in range(rng.randrange(0, 4)):
                what = rng.randrange(6)
                correlation += 1
                length = rng.randrange(5, 2000)
                if rng.random() < 0.95:
                    db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(?, ?, ?, ?, ?)",
                               (end, end + length, tid, correlation, len(names) + 1 + what))
                stream = rng.choice([7, 9])
                begin = max(end + rng.randrange(1, 3000), free[stream])
                place = {"start": begin, "end": begin + rng.randrange(0, 9000), "deviceId": rank, "streamId": stream,
                         "correlationId": correlation, "globalPid": pid}
                if rng.random() < 0.9 and what != 5:
                    free[stream] = place["end"]
                    put(("KERNEL", "MEMCPY", "MEMSET", "KERNEL", "GRAPH_TRACE")[what], **place, bytes=rng.randrange(1, 10**9),
                        demangledName=rng.randrange(1, len(names) + 1), copyKind=rng.choice([1, 2, 8]), graphExecId=rng.randrange(4))
                elif what == 5:
                    put("SYNCHRONIZATION", **{**place, "deviceId": rank if old else 0, "start": end, "end": end + length},
                        syncType=rng.randrange(1, 5))
                end += length + rng.randrange(0, 100)
            text = rng.choice([f"aten::x{op % 5}, op_id = {op}", f"aten::mm, seq = {op}, op_id = {op}, sizes = [[{op}, 2], []]",
                               f"step {op}", "my region"])
            db.execute("INSERT INTO NVTX_EVENTS VALUES(?, ?, 59, ?, ?)", (inner - 1, end + 5, text, tid))
            if rng.random() < 0.5:
                db.execute("INSERT INTO NVTX_EVENTS VALUES(?, ?, 59, ?, ?)", (start, end + 9, f"aten::outer, op_id = {op}", tid))
            at = end + rng.randrange(10, 5000)
    db.commit()
    db.close()


def main():
    if "SQLite" not in run(["--version"]).stdout.decode():
        print("skip: this traceq is built without SQLite\n0 passed, 0 failed, 1 skipped")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        check_samples(folder)
        for seed in range(60 if ALL else 6):
            path = os.path.join(folder, f"drawn{seed}.sqlite")
            draw(path, seed)
            check_all(f"drawn {seed}", path)
        check_ways("drawn 0", os.path.join(folder, "drawn0.sqlite"), folder)
    for line in failures[:40]:
        print("FAIL", line)
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
