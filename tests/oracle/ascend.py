#!/usr/bin/env python3
"""Databases of Ascend's profiler: what traceq says of them against Python over the same tables.

The sample in $SHARED/samples/formats (skipped with a word where that is absent) and drawn ones: several ranks, columns that
older versions lack, times as texts, ops tied to kernels of other threads by ids, collectives and their parts."""
import collections
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
SAMPLE = os.path.join(os.environ.get("SHARED", "../shared"), "samples", "formats", "ascend_pytorch_profiler_0.db")
ALL = os.environ.get("CHECK_ALL")
NO_CONNECTION = 0xffffffff
CONTROL = ("EVENT_", "NOTIFY_", "CAPTURE_", "_WAIT", "_RECORD", "PLACE_HOLDER", "WRITE_VALUE")
BYTES = {3: 2, 4: 4, 11: 2}

passed, failures, skipped = 0, [], 0


def expect(what, got, want):
    global passed
    passed += got == want
    if got != want:
        failures.append(f"{what}: {str(got)[:300]}, not {str(want)[:300]}")


def tables(argv):
    done = subprocess.run([TRACEQ, *argv, "--json", "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        failures.append(f"{argv}: exit {done.returncode}: {done.stderr.decode()[:300]}")
        return collections.defaultdict(list)
    return collections.defaultdict(list, {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]})


class Database:
    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        self.path = path
        self.text = dict(self.rows("STRING_IDS", "id", "value"))
        self.operator = dict(self.rows("COMPUTE_TASK_INFO", "globalTaskId", "name"))
        self.part = dict(self.rows("COMMUNICATION_TASK_INFO", "globalTaskId", "name"))
        self.copied = {k: v for k, *v in self.rows("MEMCPY_INFO", "globalTaskId", "size", "memcpyOperation")}
        self.whole = self.rows("COMMUNICATION_OP", "startNs", "endNs", "connectionId", "groupName", "opType", "dataType", "count")

    def rows(self, table, *columns):
        have = {r[1] for r in self.db.execute(f"PRAGMA table_info({table})")}
        if not have:
            return []
        return self.db.execute(f"SELECT {', '.join(c if c in have else 'NULL' for c in columns)} FROM {table}").fetchall()

    def work(self):
        """(kind, name, device, start, end, connection) of all that keeps a device busy"""
        for start, end, device, connection, task, kind in self.rows(
                "TASK", "startNs", "endNs", "deviceId", "connectionId", "globalTaskId", "taskType"):
            word = self.text.get(kind, "")
            if task in self.part and self.whole:
                continue
            if task in self.operator or task in self.part:
                yield "kernel", self.text[self.operator.get(task, self.part.get(task))], device, start, end, connection
            elif task in self.copied or "MEMCPY" in word or "SDMA" in word:
                yield "memcpy", None, device, start, end, connection
            elif not any(c in word for c in CONTROL):
                yield "kernel", word, device, start, end, connection
        device = next(iter(self.rows("TASK", "deviceId")), (0,))[0]
        for start, end, connection, _, kind, *_ in self.whole:
            yield "kernel", self.text[kind], device, start, end, connection

    def calls(self):
        return [(int(s), int(e), c, self.text[n]) for s, e, c, n in
                self.rows("CANN_API", "startNs", "endNs", "connectionId", "name")]

    def ops(self):
        """(start, end, thread, ids, name) of operators"""
        return [(int(s), int(e), t, c, self.text[n]) for s, e, t, c, n, k in
                self.rows("PYTORCH_API", "startNs", "endNs", "globalTid", "connectionId", "name", "type") if k in (None, 50001)]


def union(spans):
    total, reach = 0, None
    for start, end in sorted(spans):
        if reach is None or start > reach:
            total, reach = total + end - start, end
        elif end > reach:
            total, reach = total + end - reach, end
    return total


def sums(pairs):
    found = collections.defaultdict(lambda: [0, 0])
    for name, dur in pairs:
        found[name][0] += 1
        found[name][1] += dur
    return {k: tuple(v) for k, v in found.items()}


def check(name, x):
    work = list(x.work())
    top = tables(["top", "-n", "0", x.path])
    got = {r["name"]: (r["calls"], r["device_sum_ns"]) for r in top["device"] if r["kind"] == "kernel"}
    expect(f"{name} kernels", got, sums((w[1], w[4] - w[3]) for w in work if w[0] == "kernel"))
    got = sum(r["device_sum_ns"] for r in top["device"] if r["kind"] == "memcpy")
    expect(f"{name} copies", got, sum(w[4] - w[3] for w in work if w[0] == "memcpy"))
    by_device = collections.defaultdict(list)
    for w in work:
        by_device[w[2]].append((w[3], w[4]))
    expect(f"{name} devices", {r["device"]: (r["busy_ns"], r["sum_ns"], r["activities"]) for r in top["devices"]},
           {d: (union(v), sum(e - s for s, e in v), len(v)) for d, v in by_device.items()})
    got = {r["name"]: (r["calls"], r["cpu_total_ns"]) for r in top["ops"] if r["kind"] == "runtime"}
    expect(f"{name} calls", got, sums((c[3], c[1] - c[0]) for c in x.calls()))
    got = {r["name"]: (r["calls"], r["cpu_total_ns"]) for r in top["ops"] if r["kind"] == "cpu_op"}
    expect(f"{name} ops", got, sums((o[4], o[1] - o[0]) for o in x.ops()))
    # Work of an op: what has one of its ids as a connection.
    ids = {c: i for i, c in x.rows("CONNECTION_IDS", "id", "connectionId")}
    op_of = {}
    for _, _, _, group, what in x.ops():
        op_of.setdefault(group, what)
    want = collections.Counter({o[4]: 0 for o in x.ops()})
    for w in work:
        if w[5] in ids and w[5] != NO_CONNECTION and ids[w[5]] in op_of:
            want[op_of[ids[w[5]]]] += w[4] - w[3]
    expect(f"{name} work of ops", {r["name"]: r["self_device_ns"] for r in top["ops"] if r["kind"] == "cpu_op"}, dict(want))
    called = {c[2] for c in x.calls()}
    fan = collections.Counter(w[5] for w in work if w[5] in called)
    total = tables(["launches", "-n", "0", x.path])["totals"][:1]
    expect(f"{name} linked", [r["linked"] + r["graph"] for r in total], [sum(fan.values())])
    # Bytes where HCCL's count is the message: of all-reduce and broadcast.
    want = collections.defaultdict(lambda: [0, 0, 0])
    for start, end, _, _, kind, dtype, count in x.whole:
        word = {"hcom_allReduce_": "all_reduce", "hcom_broadcast_": "broadcast", "hcom_allGather_": "all_gather"}[x.text[kind]]
        want[word][0] += 1
        want[word][1] += end - start
        want[word][2] += count * BYTES[dtype] if word != "all_gather" else 0
    got = collections.defaultdict(lambda: [0, 0, 0])
    for r in tables(["comms", "-n", "0", x.path])["collectives"] if x.whole else []:
        got[r["collective"]][0] += r["calls"]
        got[r["collective"]][1] += r["device_sum_ns"]
        got[r["collective"]][2] += (r["bytes"] or 0) * r["calls"]
    expect(f"{name} collectives", dict(got), dict(want))
    steps = [(s, e) for s, e, _, _, what in x.ops() if what.startswith("ProfilerStep#")] or \
        [(s, e) for s, e in x.rows("STEP_TIME", "startNs", "endNs")]
    expect(f"{name} steps", len(tables(["steps", "-n", "0", x.path])["steps"]), len(steps) or 1)


def draw(path, seed, rank):
    rng = random.Random(seed * 100 + rank)
    db = sqlite3.connect(path)
    old = seed % 2
    names = ["MatMulV2", "Add", "launch", "aclnnMatmul", "EVENT_WAIT", "AI_CORE", "MEMCPY_ASYNC", "NOTIFY_RECORD", "Notify_Wait",
             "SDMA_SQE", "hcom_allReduce_", "hcom_broadcast_", "hcom_allGather_", "dp", "tp", "aten::mm", "aten::add", "Enqueue@x",
             "hcom_allReduce__1_0_1", "MODEL_EXECUTE"]
    number = {n: i for i, n in enumerate(names, 1)}
    db.execute("CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT)")
    db.executemany("INSERT INTO STRING_IDS VALUES(?, ?)", [(i, n) for n, i in number.items()])
    db.execute("CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER,"
               " globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER)")
    db.execute("CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER PRIMARY KEY, blockDim INTEGER)")
    db.execute("CREATE TABLE COMMUNICATION_TASK_INFO(name INTEGER, globalTaskId INTEGER, opId INTEGER)")
    db.execute("CREATE TABLE COMMUNICATION_OP(opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, groupName INTEGER,"
               " opId INTEGER PRIMARY KEY, dataType INTEGER, count NUMERIC, opType INTEGER)")
    db.execute("CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER PRIMARY KEY,"
               " name INTEGER)")
    kind = "TEXT" if old else "INTEGER"
    db.execute(f"CREATE TABLE PYTORCH_API(startNs {kind}, endNs {kind}, globalTid INTEGER, connectionId INTEGER, name INTEGER,"
               f" sequenceNumber INTEGER{'' if old else ', type INTEGER'})")
    db.execute("CREATE TABLE CONNECTION_IDS(id INTEGER, connectionId INTEGER)")
    db.execute("CREATE TABLE RANK_DEVICE_MAP(rankId INTEGER, deviceId INTEGER)")
    db.execute("INSERT INTO RANK_DEVICE_MAP VALUES(?, ?)", (rank, rank % 8))
    if not old:
        db.execute("CREATE TABLE MEMCPY_INFO(globalTaskId INTEGER, size INTEGER, memcpyOperation INTEGER)")
        db.execute("CREATE TABLE STEP_TIME(id INTEGER, startNs INTEGER, endNs INTEGER)")
    main, other = (20 + rank) << 32 | 1, (20 + rank) << 32 | 2
    at = free = 1_700_000_000_000_000_000 + rank * 17
    connection, task = 5, 0

    def put_task(start, end, what, stream, to):
        nonlocal task
        task += 1
        db.execute("INSERT INTO TASK VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                   (start, end, rank % 8, to, task, 20 + rank, number[what], NO_CONNECTION, stream, task, 0))
        return task

    for op in range(rng.randrange(10, 40)):
        begin, end = at, at + rng.randrange(500, 5000)
        call = end - 400  # on another thread, within the op
        fields = [begin, end, main, op + 1, number[rng.choice(["aten::mm", "aten::add"])], op]
        db.execute(f"INSERT INTO PYTORCH_API VALUES({', '.join('?' * (6 if old else 7))})", fields + ([] if old else [50001]))
        if not old:
            db.execute("INSERT INTO PYTORCH_API VALUES(?, ?, ?, ?, ?, NULL, 50002)",
                       (end + 5, end + 9, main, 1000 + op, number["Enqueue@x"]))
        for _ in range(rng.randrange(0, 3)):
            connection += 1
            db.execute("INSERT INTO CANN_API VALUES(?, ?, 10000, ?, ?, ?)", (call, call + 50, other, connection, number["launch"]))
            db.execute("INSERT INTO CONNECTION_IDS VALUES(?, ?)", (op + 1, connection))
            start = max(free, call + 60)
            free = start + rng.randrange(10, 3000)
            done = put_task(start, free, "AI_CORE", 2, connection)
            db.execute("INSERT INTO COMPUTE_TASK_INFO VALUES(?, ?, 24)", (number[rng.choice(["MatMulV2", "Add"])], done))
            call += 60
        if rng.random() < 0.4:
            done = put_task(free, free + 7, "MEMCPY_ASYNC", 2, NO_CONNECTION)
            if not old:
                db.execute("INSERT INTO MEMCPY_INFO VALUES(?, 4096, 1)", (done,))
            free += 7
        if rng.random() < 0.4:
            put_task(free, free + 20, rng.choice(["EVENT_WAIT", "NOTIFY_RECORD", "MODEL_EXECUTE"]), 2, NO_CONNECTION)
            free += 20
        if rng.random() < 0.5 and seed % 3:
            connection += 1
            db.execute("INSERT INTO CANN_API VALUES(?, ?, 5500, ?, ?, ?)", (call, call + 9, other, connection, number["hcom_allReduce_"]))
            which = rng.choice(["hcom_allReduce_", "hcom_broadcast_", "hcom_allGather_"])
            db.execute("INSERT INTO COMMUNICATION_OP VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                       (number["hcom_allReduce__1_0_1"], free, free + 900, connection, number[rng.choice(["dp", "tp"])], connection,
                        rng.choice([3, 4, 11]), rng.randrange(1, 10**6), number[which]))
            for k in range(2):
                done = put_task(free + 100 * k, free + 100 * k + 90, "SDMA_SQE", 5, connection)
                db.execute("INSERT INTO COMMUNICATION_TASK_INFO VALUES(?, ?, ?)", (number["Notify_Wait"], done, connection))
            free += 900
        at = max(end, call) + rng.randrange(100, 900)
    if not old:
        for i in range(2):
            db.execute("INSERT INTO STEP_TIME VALUES(?, ?, ?)", (i, 1_700_000_000_000_000_000 + i * (at - 1_700_000_000_000_000_000) // 2,
                                                                 1_700_000_000_000_000_000 + (i + 1) * (at - 1_700_000_000_000_000_000) // 2))
    db.commit()
    db.close()


def main():
    global skipped
    done = subprocess.run([TRACEQ, "--version"], stdout=subprocess.PIPE, check=True)
    if b"SQLite" not in done.stdout:
        print("skip: this traceq is built without SQLite\n0 passed, 0 failed, 1 skipped")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        if os.path.exists(SAMPLE):
            check("sample", Database(SAMPLE))
            expect("sample, by hand", [r["device_sum_ns"] for r in tables(["top", SAMPLE])["device"]], [60 * 120500])
        else:
            skipped += 1
            print("skip: no samples/formats in $SHARED")
        for seed in range(40 if ALL else 6):
            path = os.path.join(folder, f"drawn{seed}.db")
            draw(path, seed, 0)
            check(f"drawn {seed}", Database(path))
        job = os.path.join(folder, "job")
        for rank in range(3):
            where = os.path.join(job, f"host_{rank}_ascend_pt", "ASCEND_PROFILER_OUTPUT")
            os.makedirs(where)
            draw(os.path.join(where, f"ascend_pytorch_profiler_{rank}.db"), 1, rank)
        expect("ranks of a job", sorted(r["rank"] for r in tables(["ranks", job])["ranks"]), [0, 1, 2])
    for line in failures[:40]:
        print("FAIL", line)
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
